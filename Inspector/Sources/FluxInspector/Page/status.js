// How the connection is doing, in words.

import { announce } from "./notice.js";
import { setText } from "./text.js";

const $ = (id) => document.getElementById(id);
let timer = 0;
let wasOpen = false;

/** Shows how the connection is doing, and counts down to the next try. */
export function showStatus({ kind, failures, until }, hasSeen) {
  clearInterval(timer);
  // While it tries again, what is said stays: it would flicker.
  if (kind === "connecting" && failures > 0) return;
  $("connection").dataset.kind = kind;
  $("connection-retry").hidden = kind !== "waiting";
  document.body.classList.toggle("offline", kind === "waiting");
  if (kind === "open") {
    setText($("connection-text"), "Connected");
    if (hasSeen && !wasOpen) announce("Connected again");
  } else if (kind === "connecting") setText($("connection-text"), "Connecting…");
  else {
    const tell = () => setText($("connection-text"), words(failures, until));
    tell();
    timer = setInterval(tell, 500);
    if (wasOpen) announce("Connection lost. The data received so far stays here.");
  }
  wasOpen = kind === "open";
}

function words(failures, until) {
  const seconds = Math.ceil((until - Date.now()) / 1000);
  const when = seconds > 0 ? `trying again in ${seconds} s` : "trying again";
  if (failures < 5) return `Connection lost: ${when}`;
  return `No answer: ${when}. If the program was restarted, open the address that it printed.`;
}
