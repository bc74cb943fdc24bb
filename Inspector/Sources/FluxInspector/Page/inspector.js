// The page: the connection, the stores that came over it, and the parts that show them.

import { Branches } from "./branches.js";
import { atPresent, commands, onlyRead } from "./commands.js";
import { Detail } from "./detail.js";
import { Dispatching, Help, Question } from "./dialogs.js";
import { moveDivider } from "./divider.js";
import { fileName, Importing, save } from "./files.js";
import { showHints } from "./hint.js";
import { keyTable, listenToKeys } from "./keys.js";
import { LogView } from "./logview.js";
import { Names } from "./names.js";
import { announce, notice } from "./notice.js";
import { showReport } from "./report.js";
import { roveTabs } from "./roving.js";
import { Settings } from "./settings.js";
import { Connection } from "./socket.js";
import { showStatus } from "./status.js";
import { Store } from "./store.js";
import { StoreTabs } from "./tabs.js";
import { copy, line } from "./text.js";
import { Timeline } from "./timeline.js";
import { Toolbar } from "./toolbar.js";

const $ = (id) => document.getElementById(id);
const protocol = 1;

/** All of the page. */
class Inspector {
  stores = new Map();
  /** The store that is looked at. */
  store = null;
  program = "";
  settings = new Settings();
  #frame = 0;
  #connection = new Connection(new URL("socket", location.href.replace(/^http/, "ws")), {
    onMessage: (message) => this.#receive(message),
    onStatus: (status) => this.#showStatus(status),
  });

  constructor() {
    this.question = new Question();
    this.detail = new Detail(this);
    this.view = new LogView(this);
    this.names = new Names(this);
    this.dispatching = new Dispatching(this);
    this.importing = new Importing(this);
    this.timeline = new Timeline((id) => this.jump(id));
    this.branches = new Branches((id) => this.jump(id));
    this.tabs = new StoreTabs((id) => this.turnTo(id));
    const keys = keyTable(this);
    this.help = new Help(keys, this.settings);
    this.toolbar = new Toolbar((id) => this.run(id), () => this.help.open());
    this.toolbar.show(null, false);
    listenToKeys(keys, this.settings);
    roveTabs($("detail-tabs"));
    moveDivider(this.settings);
    showHints();
    this.#listenToFilters();
    $("connection-retry").addEventListener("click", () => this.#connection.tryNow());
    this.#connection.open();
  }

  get isConnected() {
    return this.#connection.isOpen;
  }

  // MARK: What comes

  #receive(message) {
    switch (message.type) {
      case "welcome": return this.#welcome(message);
      case "stores": return this.#describe(message.stores);
      case "log":
        this.stores.get(message.store)?.take(message);
        return this.changed();
      case "origins":
        this.stores.get(message.store)?.log.takeOrigins(message.entries);
        return this.changed();
    }
  }

  #welcome(message) {
    if (message.protocol !== protocol) {
      notice.show(`The program speaks protocol ${message.protocol}, and this page ${protocol}: `
        + "load the page again.");
    }
    this.program = message.program;
    $("program").textContent = line(message.program, 60);
    document.title = `${line(message.program, 60)} · Inspector`;
    for (const store of this.stores.values()) store.isWatched = false;
    this.detail.forget();
    this.#describe(message.stores);
  }

  #describe(descriptions) {
    for (const store of this.stores.values()) store.isGone = true;
    for (const description of descriptions) {
      const known = this.stores.get(description.id);
      // A program that was started anew may give the number to another store.
      if (known && known.name === description.name) known.describe(description);
      else this.#add(description);
    }
    if (!this.store || this.stores.get(this.store.id) !== this.store) {
      this.store = this.stores.values().next().value ?? null;
    }
    for (const store of this.stores.values()) this.#watch(store);
    this.changed();
  }

  #add(description) {
    const store = new Store(description, (message) => this.#connection.request(message));
    store.scan.onFound = () => this.changed();
    this.stores.set(store.id, store);
  }

  async #watch(store) {
    if (store.isWatched || store.isGone || !this.isConnected) return;
    store.isWatched = true;
    try {
      await store.request({ type: "watch" });
    } catch (refusal) {
      store.isWatched = false;
      if (refusal.code !== "offline") notice.show(refusal.message);
    }
  }

  #showStatus(status) {
    showStatus(status, this.stores.size > 0);
    this.changed();
  }

  // MARK: What is shown

  /** Shows what is known now, with the next frame. */
  changed() {
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      this.#show();
    });
  }

  #show() {
    const { store } = this;
    this.toolbar.show(store, this.isConnected);
    this.tabs.show([...this.stores.values()], store);
    showReport(store?.report);
    if (!store) return;
    store.scan.go();
    this.names.show(store);
    this.view.show(store);
    this.timeline.show(store, this.isConnected);
    this.branches.show(store, this.isConnected);
    this.detail.show(store);
    $("log").classList.toggle("is-locked", store.log.isLocked);
  }

  /** Looks at another store. */
  turnTo(id) {
    this.store = this.stores.get(id);
    $("search").value = this.store.filter.text;
    $("path").value = this.store.filter.path;
    this.detail.forget();
    this.changed();
  }

  turnBy(step) {
    const ids = [...this.stores.keys()];
    if (ids.length < 2) return;
    this.turnTo(ids[(ids.indexOf(this.store.id) + step + ids.length) % ids.length]);
  }

  /** Selects an entry; `null` follows the current one. */
  select(id) {
    this.store.selection = id;
    this.changed();
  }

  // MARK: What is done

  /** Why a command cannot be carried out now, or null. */
  whyNot(id) {
    return atPresent(commands.get(id), this.store, this.isConnected).reason;
  }

  /** Carries out what a button or a key stands for. */
  run(id) {
    const now = atPresent(commands.get(id), this.store, this.isConnected);
    if (now.reason) return this.refuse(now.reason);
    notice.clear();
    if (id === "dispatch") return this.openDispatch();
    if (id === "import") return this.importing.choose();
    if (id === "export") return this.#export();
    if (!now.ask) return this.#command(now);
    const { store } = this;
    this.question.ask({
      title: `${now.label} ${line(store.name, 60)}?`, text: now.ask(store), yes: now.label,
      act: async () => {
        await store.request({ type: "command", command: now.command, entry: null });
        this.done(`${now.label}: done`);
      },
    });
  }

  async #command({ label, command, ofEntry }) {
    const entry = ofEntry ? this.store.shown : null;
    if (await this.command(command, entry)) announce(`${label} ${entry ?? ""}: done`);
  }

  /** Sends a command. The promise tells whether it was carried out; a refusal is shown. */
  async command(command, entry) {
    if (this.store.report) {
      this.refuse(onlyRead);
      return false;
    }
    try {
      await this.store.request({ type: "command", command, entry });
      notice.clear();
      return true;
    } catch (refusal) {
      this.refuse(refusal.message);
      return false;
    }
  }

  /** Goes to an entry. A crash report stays as it is, so there the entry is selected. */
  async jump(id) {
    if (!this.store.report) return this.command("jump", id);
    this.select(id);
    return true;
  }

  skip(entry) {
    return this.command(entry.isSkipped ? "unskip" : "skip", entry.id);
  }

  async #export() {
    const { store, program } = this;
    try {
      const { document } = await store.request({ type: "export" });
      save(document, fileName(program, store.name));
      this.done("History exported");
    } catch (refusal) {
      this.refuse(refusal.message);
    }
  }

  openDispatch(name, payload) {
    const reason = this.whyNot("dispatch");
    if (reason) return this.refuse(reason);
    this.dispatching.open(this.store, name, payload);
  }

  async copy(text) {
    try {
      await copy(text);
      this.done("Copied");
    } catch {
      this.refuse("The browser did not allow the page to copy.");
    }
  }

  /** Says what could not be done. */
  refuse(message) {
    notice.show(message);
  }

  /** Says what was done. */
  done(message) {
    notice.clear();
    announce(message);
  }

  // MARK: Filters

  #listenToFilters() {
    $("search").addEventListener("input", () => this.#filter((filter) => (filter.text = $("search").value)));
    $("path").addEventListener("input", () => this.#filter((filter) => (filter.path = $("path").value)));
    $("clear-filters").addEventListener("click", () => this.showAll());
    for (const field of [$("search"), $("path")]) {
      field.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" && event.key !== "ArrowDown") return;
        event.preventDefault();
        this.view.focus();
      });
    }
    $("path").addEventListener("focus", () => this.#offerPaths());
  }

  #filter(change) {
    if (!this.store) return;
    change(this.store.filter);
    this.changed();
  }

  /** Paths that are known to have changed. */
  #offerPaths() {
    const paths = new Set([...this.store?.changes.values() ?? []].flatMap(({ changes }) =>
      changes.map(({ path }) => path)));
    $("paths").replaceChildren(...[...paths].filter(Boolean).sort().slice(0, 200).map((path) => {
      const option = document.createElement("option");
      option.value = path;
      return option;
    }));
  }

  /** Shows only actions that changed a path. */
  showPath(path) {
    $("path").value = path;
    this.#filter((filter) => (filter.path = path));
  }

  /** Shows all actions. */
  showAll() {
    $("search").value = "";
    $("path").value = "";
    this.#filter((filter) => filter.clear());
    this.#keepInSight();
  }

  hideName() {
    const entry = this.store?.log.entry(this.store.shown);
    if (entry) this.#filter((filter) => filter.show(entry.name, false));
  }

  onlyName() {
    const entry = this.store?.log.entry(this.store.shown);
    if (entry) this.#filter((filter) => filter.showOnly(filter.only === null ? entry.name : null));
    this.#keepInSight();
  }

  #keepInSight() {
    const { store } = this;
    requestAnimationFrame(() => requestAnimationFrame(() => {
      if (store === this.store && store?.selection != null) this.view.reveal(store.selection);
    }));
  }

  search() {
    $("search").focus();
    $("search").select();
  }

  /** One step back: out of a field, from a message, from the filters, from the selection. */
  back() {
    const { store } = this;
    if (document.activeElement.matches("#search, #path")) this.view.focus();
    else if (!$("notice").hidden) notice.clear();
    else if (store?.filter.isOn) this.showAll();
    else if (store) this.select(null);
  }
}

new Inspector();
