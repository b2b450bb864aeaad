// SPDX-License-Identifier: Apache-2.0
import GlucoseReport

/// Keeps the live page up to date (GlucoseServer/LivePageAndMetrics, "How it stays up to date").
enum LivePageScript {
  static let javascript = """
    "use strict";
    \(PageScript.chartReader)
    \(page)
    """

  private static let page = #"""
    (() => {
      const body = document.body, query = new URLSearchParams(location.search);
      const element = id => document.getElementById(id);
      const partNames = ["alerts", "now", "curve", "today", "sensor", "sinks"];
      const oldAfter = +body.dataset.oldAfter, minute = 60e3;
      let hours = body.dataset.hours;
      // How far the server's clock is ahead of this one, ms.
      let ahead = 0;
      let isStreaming = false, goneSince = null, lastAsked = Date.now(), stream = null, streamLostAt = 0;
      // What is asked for is remembered as it came: a picture is changed when it is made readable.
      const shown = new Map();

      // The access of this page is that of its requests.
      const address = (path, values) => {
        const parameters = new URLSearchParams(values);
        for (const name of ["token", "secret"]) if (query.has(name)) parameters.set(name, query.get(name));
        const text = parameters.toString();
        return text ? path + "?" + text : path;
      };
      for (const link of document.querySelectorAll("a.keep")) {
        const [path, text] = link.getAttribute("href").split("?");
        link.setAttribute("href", address(path, text) || ".");
      }

      // The words of the server's own ages.
      const stretch = minutes => {
        const days = Math.floor(minutes / 1440), hour = Math.floor(minutes / 60) % 24, rest = minutes % 60;
        return days ? `${days} d ${hour} h` : hour ? `${hour} h ${rest} min` : `${rest} min`;
      };
      const age = time => Math.trunc((Date.now() + ahead - time) / minute);
      const ago = minutes => minutes < 0 ? stretch(-minutes) + " ahead of this computer's clock" :
        minutes ? stretch(minutes) + " ago" : "just now";
      const write = (where, text) => { if (where.textContent !== text) where.textContent = text; };
      const clock = time => new Date(time).toTimeString().slice(0, 5);

      let spokenKey = null, spokenAt = Date.now(), spokenTime = null;
      const speak = (key, time, text) => {
        const isFirst = spokenKey === null, isDue = time !== spokenTime && Date.now() - spokenAt >= 15 * minute;
        if (!isFirst && key === spokenKey && !isDue) return;
        [spokenKey, spokenAt, spokenTime] = [key, Date.now(), time];
        // The page itself has just been read.
        if (!isFirst) element("live").textContent = text;
      };

      // What stands on the page when it is opened is not new. A tone needs a click of the user.
      let heard = new Set(), tone = null;
      const beep = urgency => {
        for (let turn = 0; turn < (urgency > 1 ? 4 : 2); turn++) {
          const at = tone.currentTime + turn * 0.45, wave = tone.createOscillator(), volume = tone.createGain();
          wave.frequency.value = urgency > 1 ? 880 : 587;
          volume.gain.setValueAtTime(0.25, at);
          volume.gain.exponentialRampToValueAtTime(0.001, at + 0.4);
          wave.connect(volume).connect(tone.destination);
          wave.start(at);
          wave.stop(at + 0.4);
        }
      };
      const listenForAlerts = isFirst => {
        const alerts = [...document.querySelectorAll("[data-alert]")];
        for (const alert of isFirst ? [] : alerts) {
          if (heard.has(alert.dataset.alert)) continue;
          const title = alert.querySelector("b").textContent;
          if (tone) beep(+alert.dataset.urgency);
          if (tone && Notification.permission === "granted") {
            new Notification(title, { body: alert.childNodes[1].textContent.trim(), tag: alert.dataset.alert.split(" ")[0] });
          }
        }
        heard = new Set(alerts.map(alert => alert.dataset.alert));
      };
      const sound = element("sound");
      sound.hidden = false;
      sound.addEventListener("click", async () => {
        tone = new AudioContext();
        sound.hidden = true;
        beep(1);
        const says = "Notification" in window ? await Notification.requestPermission() : "denied";
        write(element("sounding"), "This page sounds for new alerts while it is open" +
          (says === "granted" ? ", and shows them as notifications." : "."));
      });

      const tick = () => {
        for (const place of document.querySelectorAll("[data-ago]")) write(place, ago(age(+place.dataset.ago)));
        const now = element("now"), { time, value, level, words } = now.dataset;
        const isOld = time === undefined || Math.abs(age(+time)) > oldAfter;
        now.classList.toggle("is-old", isOld);
        const arrow = now.querySelector(".arrow")?.textContent ?? "";
        const mark = document.querySelector('[data-alert][data-lasts="true"]') ? "⚠ " : "";
        document.title = mark + (time === undefined ? "Glucose" : isOld ? `old: ${value}` : `${value} ${arrow} ${body.dataset.unit}`);
        const banner = element("banner");
        banner.hidden = goneSince === null;
        if (goneSince !== null) {
          write(banner, `The server has not answered since ${clock(goneSince)}. New values are missing from this page.`);
        }
        write(element("connection"), goneSince !== null ? "No connection to the server. It is tried again every 10 seconds." :
          isStreaming ? "Live: a new value appears as soon as the server has it." :
          "The server is asked for new values every minute.");
        const name = now.querySelector(".level .fresh")?.textContent.toLowerCase() ?? "";
        const text = time === undefined ? "No value yet." :
          `${isOld ? "Old glucose value" : "Glucose"} ${value} ${body.dataset.unit}, ` +
          (isOld ? "" : `${name}${words ? ", " + words : ""}, `) + ago(age(+time));
        const isGone = "The server does not answer. New values are missing.";
        if (goneSince !== null) speak(`gone ${isOld}`, time, isOld ? isGone + " " + text : isGone);
        else speak(`${level} ${isOld}`, time, text);
      };

      const adopt = text => {
        const page = new DOMParser().parseFromString(text, "text/html");
        for (const name of partNames) {
          const made = page.getElementById(name), place = element(name);
          if (!made || made.outerHTML === shown.get(name)) continue;
          // A reader of the picture is not thrown out of it.
          if (name === "curve" && place.contains(document.activeElement)) continue;
          shown.set(name, made.outerHTML);
          place.replaceWith(made);
          if (name === "curve") {
            element("tip").hidden = true;
            made.querySelectorAll("svg[data-x]").forEach(readChart);
          }
        }
        ahead = +element("now").dataset.now - Date.now();
        listenForAlerts(false);
      };

      let isAsking = false, isAskedAgain = false;
      const ask = async () => {
        if (isAsking) { isAskedAgain = true; return; }
        isAsking = true;
        lastAsked = Date.now();
        try {
          const answer = await fetch(address("live", { hours, unit: body.dataset.unit }),
            { cache: "no-store", signal: AbortSignal.timeout(15e3) });
          if (!answer.ok) throw new Error(answer.status);
          adopt(await answer.text());
          goneSince = null;
        } catch {
          goneSince ??= Date.now();
        }
        isAsking = false;
        tick();
        if (isAskedAgain) { isAskedAgain = false; ask(); }
      };

      const listen = () => {
        stream = new EventSource(address("events"));
        stream.addEventListener("open", () => { isStreaming = true; ask(); });
        for (const name of ["glucose", "change"]) stream.addEventListener(name, ask);
        stream.addEventListener("error", () => {
          if (isStreaming) ask();
          isStreaming = false;
          streamLostAt = Date.now();
        });
      };

      for (const link of document.querySelectorAll("a[data-hours]")) {
        link.addEventListener("click", event => {
          if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
          event.preventDefault();
          hours = link.dataset.hours;
          document.querySelector("a[data-hours][aria-current]")?.removeAttribute("aria-current");
          link.setAttribute("aria-current", "true");
          history.replaceState(null, "", link.href);
          ask();
        });
      }

      ahead = +element("now").dataset.now - Date.now();
      document.querySelectorAll("svg[data-x]").forEach(readChart);
      for (const name of partNames) shown.set(name, null);
      listenForAlerts(true);
      tick();
      listen();
      addEventListener("pagehide", () => stream.close());
      document.addEventListener("visibilitychange", () => { if (!document.hidden) ask(); });
      setInterval(() => {
        const now = Date.now();
        if (stream.readyState === EventSource.CLOSED && now - streamLostAt >= 30e3) listen();
        if (!document.hidden && now - lastAsked >= (goneSince === null ? minute : 10e3)) ask(); else tick();
      }, 5e3);
    })();
    """#
}
