// Histories as files: saving the one of a store, and loading one by choosing it or dropping it on the page.

import { counted, line } from "./text.js";

const $ = (id) => document.getElementById(id);
/** What the program takes in one message, less what stands around the document. */
const most = 15 * 1024 * 1024;

/** Saves text as a file. */
export function save(text, name) {
  const address = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // The browser reads it after this; it is let go when that is done for certain.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** A file name that says which store it is of, and when. */
export function fileName(program, store) {
  const name = `${program}-${store}`.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-+|-+$/g, "").slice(0, 60);
  const time = new Date().toISOString().slice(0, 19).replaceAll(":", "-");
  return `${name || "history"}-${time}.json`;
}

/** Loading a history: the dialog that asks, and the dropping. */
export class Importing {
  #inspector;

  constructor(inspector) {
    this.#inspector = inspector;
    $("file").addEventListener("change", () => {
      const [file] = $("file").files;
      if (file) this.#ask(file);
      $("file").value = "";
    });
    let depth = 0;
    const isFile = (event) => event.dataTransfer?.types.includes("Files");
    const setDepth = (next) => {
      depth = next;
      $("drop").hidden = depth === 0;
    };
    addEventListener("dragenter", (event) => isFile(event) && setDepth(depth + 1));
    addEventListener("dragleave", (event) => isFile(event) && setDepth(Math.max(0, depth - 1)));
    addEventListener("dragover", (event) => isFile(event) && event.preventDefault());
    addEventListener("drop", (event) => {
      if (!isFile(event)) return;
      event.preventDefault();
      setDepth(0);
      const reason = inspector.whyNot("import");
      if (reason) return inspector.refuse(reason);
      this.#ask(event.dataTransfer.files[0]);
    });
  }

  /** Lets the person choose a file. */
  choose() {
    $("file").click();
  }

  #ask(file) {
    const { store } = this.#inspector;
    const size = Math.max(1, Math.round(file.size / 1024));
    if (file.size > most) {
      return this.#inspector.refuse(tooLarge(file));
    }
    const lost = store.log.entries.length;
    this.#inspector.question.ask({
      title: `Import into ${line(store.name, 60)}?`,
      text: `${line(file.name, 100)}, ${size.toLocaleString("en-US")} kB, takes the place of the log`
        + (lost > 0 ? ` of ${counted(lost, "action")}` : "") + " and of the state.",
      yes: "Import",
      act: async () => {
        const text = await file.text();
        // Quotation marks are escaped on the way, so that it becomes larger.
        if (new Blob([JSON.stringify(text)]).size > most) throw new Error(tooLarge(file));
        await store.request({ type: "import", document: text });
        this.#inspector.done("History imported");
      },
    });
  }
}

function tooLarge(file) {
  return `${line(file.name, 100)} is too large: the program accepts at most 15 MB.`;
}
