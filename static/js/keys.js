/* The key map. Single keys never work while typing, with a modifier, in a dialog or during IME composition, and can be
   turned off (WCAG 2.1.4). */
import { $, $$, gettext, isTyping, say, store } from './dom.js';
import { toggleDifferences } from './differences.js';
import { askToSave } from './drafts.js';
import { digit, move, prefer } from './judge.js';
import { toggleTogether } from './players.js';
import { openFlags } from './flags.js';
import { actions, showAll, showOnly } from './reading.js';
import { quote } from './references.js';
import { openViewer } from './viewer.js';

let singleKeys = store.get('single-keys') !== false;

const letters = () => $$('.pane').map((pane) => pane.dataset.r);
const hasLine = () => Boolean($('[data-kind="line"]'));

/** Action to deed. Which key does it is the person's choice; the page brings the map of key to action. */
const deeds = {
  next: () => move(1),
  previous: () => move(-1),
  equal: () => hasLine() && prefer('t'),
  why: () => $('#why').focus(),
  quote,
  flag: openFlags,
  sync: actions.sync,
  source: actions.source,
  turns: actions.turns,
  diff: () => void toggleDifferences(),
  viewer: () => openViewer(),
  together: toggleTogether,
  guide: actions.guide,
  skip: actions.skip,
  keys: actions.keys,
};
let map = {};

/** The letter or digit meant, also on layouts that write other scripts or need Shift for digits. */
function keyOf(event) {
  const place = /^(?:Digit|Numpad)([0-9])$/.exec(event.code);
  if (place && !event.shiftKey) return place[1];
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const isForeign = key.length === 1 && key > '\u007f';
  return isForeign && /^Key[A-Z]$/.test(event.code) ? event.code.slice(3).toLowerCase() : key;
}

/** Returns false when the key means nothing here, so that the browser keeps it. */
function single(event) {
  const key = keyOf(event);
  if (/^[0-9]$/.test(key)) digit(Number(key));
  else if (event.shiftKey && letters().includes(key)) showOnly(key);
  else if (letters().includes(key)) prefer(key);
  else if (key in map && !(event.shiftKey && /\p{L}/u.test(key))) return deeds[map[key]]() !== false;
  else return false;
  return true;
}

function withModifier(event) {
  if (event.altKey) return false;
  if (event.key === 'Enter') {
    $('#judge').requestSubmit();
    return true;
  }
  if (event.key.toLowerCase() === 's' && !event.shiftKey) {
    askToSave({ now: true });
    say(gettext('Saving the draft'));
    return true;
  }
  return false;
}

function escape(event) {
  if (isTyping(event.target)) {
    event.target.blur();
    return true;
  }
  return showAll();
}

document.addEventListener('keydown', (event) => {
  if (event.isComposing || event.defaultPrevented || !$('#judge') || $('dialog[open]')) return;
  const hasModifier = event.ctrlKey || event.metaKey;
  let isUsed = false;
  if (hasModifier) isUsed = withModifier(event);
  else if (event.key === 'Escape') isUsed = !$('[popover]:popover-open') && escape(event);
  else if (singleKeys && !event.altKey && !isTyping(event.target)) isUsed = single(event);
  if (isUsed) event.preventDefault();
});

document.addEventListener('change', (event) => {
  if (event.target.id !== 'keys-on') return;
  singleKeys = event.target.checked;
  store.set('single-keys', singleKeys);
});

export function mountKeys() {
  map = JSON.parse($('#keys')?.dataset.map ?? '{}');
  const box = $('#keys-on');
  if (box) box.checked = singleKeys;
  if (/Mac|iPhone|iPad/.test(navigator.platform)) for (const key of $$('[data-mod]')) key.textContent = '⌘';
}
