"use strict";
// Search, filters, keys and the theme. All else is in the page already.
(() => {
  const byId = (id) => document.getElementById(id);
  const cards = [...document.querySelectorAll("details.problem")];
  const form = byId("filters");
  const levels = form ? [...form.querySelectorAll("input[name=level]")] : [];
  const part = (card, name) => card.querySelector(`summary .${name}`).textContent;
  const facts = cards.map((card) => ({
    card, level: part(card, "level"), check: part(card, "check"), file: card.dataset.file,
  }));
  const texts = new Map();

  const textOf = (card) => {
    if (!texts.has(card)) texts.set(card, card.textContent.toLowerCase());
    return texts.get(card);
  };

  // The address: #q=tile&level=error,warning&check=...&file=...
  const toAddress = () => {
    const parts = new URLSearchParams();
    const query = form.q.value.trim();
    if (query) parts.set("q", query);
    if (levels.some((each) => !each.checked))
      parts.set("level", levels.filter((each) => each.checked)
        .map((each) => each.value).join(","));
    for (const name of ["check", "file"])
      if (form[name].value) parts.set(name, form[name].value);
    const text = parts.toString();
    // What is linked to stays.
    if (!text && location.hash && !location.hash.includes("=")) return;
    history.replaceState(null, "", text ? `#${text}` : location.pathname + location.search);
  };
  const fromAddress = () => {
    const text = location.hash.slice(1);
    if (text && !text.includes("=")) return false;
    const parts = new URLSearchParams(text);
    form.q.value = parts.get("q") ?? "";
    const on = parts.get("level")?.split(",");
    // Words that are no level hide nothing.
    const some = on && levels.some((each) => on.includes(each.value));
    for (const each of levels) each.checked = !some || on.includes(each.value);
    for (const name of ["check", "file"]) {
      form[name].value = parts.get(name) ?? "";
      if (form[name].selectedIndex < 0) form[name].value = "";
    }
    return true;
  };

  const show = () => {
    const words = form.q.value.toLowerCase().split(/\s+/).filter(Boolean);
    const on = new Set(levels.filter((each) => each.checked).map((each) => each.value));
    const check = form.check.value;
    const file = form.file.value;
    let shown = 0;
    for (const { card, ...its } of facts) {
      const fits = on.has(its.level) && (!check || its.check === check) &&
        (!file || its.file === file) && words.every((word) => textOf(card).includes(word));
      card.parentElement.hidden = !fits;
      shown += fits;
    }
    const total = `${cards.length} problem${cards.length === 1 ? "" : "s"}`;
    byId("shown").textContent = shown === cards.length ? total : `${shown} of ${total}`;
  };
  const change = () => { toAddress(); show(); };
  const all = () => { form.reset(); change(); };

  const decoded = (text) => {
    try { return decodeURIComponent(text); } catch { return text; }
  };
  // What a link leads to is open, and no filter hides it.
  const follow = () => {
    const id = location.hash.slice(1);
    const target = id && (byId(id) ?? byId(decoded(id)));
    const card = target && target.closest("details");
    if (!card) return;
    if (card.parentElement.hidden) { form.reset(); show(); }
    card.open = true;
    card.querySelector("summary").focus({ preventScroll: true });
    card.scrollIntoView();
  };

  if (form) {
    form.hidden = false;
    byId("keys").hidden = false;
    form.addEventListener("input", change);
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("reset", () => setTimeout(change));
    addEventListener("hashchange", () => { if (fromAddress()) show(); else follow(); });
    fromAddress();
    show();
  }
  follow();

  const go = (step) => {
    const seen = cards.filter((card) => !card.parentElement.hidden);
    if (!seen.length) return;
    const at = seen.indexOf(document.activeElement?.closest("details.problem"));
    const to = at < 0 ? (step > 0 ? 0 : seen.length - 1)
      : Math.min(Math.max(at + step, 0), seen.length - 1);
    const summary = seen[to].querySelector("summary");
    summary.focus({ preventScroll: true });
    summary.scrollIntoView({ block: "nearest" });
  };
  document.addEventListener("keydown", (event) => {
    if (!form || event.ctrlKey || event.metaKey || event.altKey) return;
    const typing = event.target.matches?.("input[type=search], select");
    if (event.key === "Escape") {
      const card = document.activeElement?.closest("details[open]");
      if (card) {
        card.open = false;
        card.querySelector("summary").focus();
      } else {
        all();
        if (typing) event.target.blur();
      }
    } else if (typing) {
      return;
    } else if (event.key === "/") {
      event.preventDefault();
      byId("q").focus();
    } else if (event.key === "j" || event.key === "k") {
      go(event.key === "j" ? 1 : -1);
    }
  });

  const theme = byId("theme");
  const themes = ["auto", "light", "dark"];
  const setTheme = (name) => {
    if (name === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = name;
    theme.textContent = `theme: ${name}`;
  };
  // A page of a file may have no memory of its own.
  let now = "auto";
  try { now = localStorage.getItem("cuda-lint-theme") ?? "auto"; } catch { /* It is auto. */ }
  if (!themes.includes(now)) now = "auto";
  theme.hidden = false;
  setTheme(now);
  theme.addEventListener("click", () => {
    now = themes[(themes.indexOf(now) + 1) % themes.length];
    setTheme(now);
    try { localStorage.setItem("cuda-lint-theme", now); } catch { /* Until it is closed. */ }
  });
})();
