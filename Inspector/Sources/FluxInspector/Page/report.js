// The banner of a crash report: when and how the program ended.

import { line, setText } from "./text.js";

const banner = document.getElementById("report");

/** Shows how the program of a crash report ended; nothing for a store that runs. */
export function showReport(report) {
  banner.hidden = !report;
  if (report) setText(banner, `Crash report. ${line(report.text, 2000)}${when(report.time)}`);
}

/** The file says when the system noted its last change, which is before the end. */
function when(time) {
  if (time == null) return "";
  const shown = new Date(time).toLocaleString("sv-SE");
  return ` It ended at ${shown}, or less than a minute later.`;
}
