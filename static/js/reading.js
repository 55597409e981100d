/* Reading aids: scroll together, source text, earlier turns, one response only, tabs, the side panels. */
import { $, $$, fill, gettext, say } from './dom.js';

let panes = [];
let isTogether = false;
let isSyncing = false;

const body = (pane) => $('.body', pane);
const letters = () => panes.map((pane) => pane.dataset.r);

function press(selector, isOn) {
  for (const button of $$(selector)) button.setAttribute('aria-pressed', String(isOn));
}

function followScroll(event) {
  if (!isTogether || isSyncing) return;
  isSyncing = true;
  const from = event.currentTarget;
  const share = from.scrollTop / Math.max(1, from.scrollHeight - from.clientHeight);
  for (const other of panes.map(body)) {
    if (other !== from) other.scrollTop = share * (other.scrollHeight - other.clientHeight);
  }
  requestAnimationFrame(() => {
    isSyncing = false;
  });
}

function toggleSync() {
  isTogether = !isTogether;
  press('[data-act="sync"]', isTogether);
  say(isTogether ? gettext('Scrolling together') : gettext('Scrolling separately'));
}

function toggleSource() {
  const isOn = !body(panes[0]).classList.contains('source');
  for (const pane of panes) {
    const source = $('template', pane).content.textContent;
    if (source && !$('.raw', pane)) {
      const raw = document.createElement('pre');
      raw.className = 'raw';
      raw.dir = 'auto';
      raw.textContent = source;
      body(pane).prepend(raw);
    }
    body(pane).classList.toggle('source', isOn);
  }
  press('[data-act="source"]', isOn);
  say(isOn ? gettext('Showing source text') : gettext('Showing formatted text'));
}

function toggleTurns() {
  const button = $('[data-act="turns"]');
  if (!button) return;
  const isOpen = $('.prompt').classList.toggle('open');
  button.setAttribute('aria-expanded', String(isOpen));
}

/** Show one response alone, or all again. Returns whether it did anything. */
export function showOnly(letter) {
  const pane = panes.find((item) => item.dataset.r === letter);
  if (!pane) return false;
  const isOn = !pane.classList.contains('full');
  for (const item of panes) item.classList.toggle('full', item === pane && isOn);
  $('.work').classList.toggle('max', isOn);
  for (const button of $$('[data-full]')) button.setAttribute('aria-pressed', String(isOn && button.dataset.full === letter));
  if (isOn) body(pane).focus();
  say(isOn ? fill(gettext('Only response %(letter)s shown'), { letter: letter.toUpperCase() }) : gettext('All responses shown'));
  return true;
}

export function showAll() {
  const pane = $('.pane.full');
  return pane ? showOnly(pane.dataset.r) : false;
}

function showTab(letter) {
  for (const pane of panes) pane.classList.toggle('on', pane.dataset.r === letter);
  for (const tab of $$('.tabs [role="tab"]')) {
    const isOn = tab.dataset.tab === letter;
    tab.setAttribute('aria-selected', String(isOn));
    tab.tabIndex = isOn ? 0 : -1;
  }
}

function open(id) {
  const dialog = $(id);
  if (!dialog) return false;
  dialog.showModal();
  $('[data-first]', dialog)?.focus();
  return true;
}

export const actions = {
  sync: toggleSync,
  source: toggleSource,
  turns: toggleTurns,
  guide: () => open('#guide'),
  skip: () => open('#skip'),
  keys: () => open('#keys'),
};

document.addEventListener('click', (event) => {
  const button = event.target.closest('[data-act], [data-full], [data-tab]');
  if (!button) return;
  const { act, full, tab } = button.dataset;
  if (full) showOnly(full);
  if (tab) showTab(tab);
  // The guidelines button is a link to the page, for when there is no panel to open.
  if (act in actions && actions[act]() && button.href) event.preventDefault();
});

document.addEventListener('keydown', (event) => {
  const from = letters().indexOf(event.target.dataset?.tab);
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (from < 0 || !step) return;
  const direction = getComputedStyle(document.body).direction === 'rtl' ? -1 : 1;
  const letter = letters()[(from + step * direction + panes.length) % panes.length];
  showTab(letter);
  $(`.tabs [data-tab="${letter}"]`).focus();
  event.preventDefault();
});

export function mountReading() {
  panes = $$('.pane');
  for (const pane of panes) body(pane).addEventListener('scroll', followScroll, { passive: true });
  press('[data-act="sync"]', isTogether);
  if (panes.length) showTab(panes[0].dataset.r);
}
