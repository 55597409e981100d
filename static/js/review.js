/* The review page: Y accepts, N returns, E fixes, J and K go on and back; words of the reason are marked by selecting
   them; mentions and quotes lead to their place in the response. */
import './main.js';
import { $, $$, isTyping, say, store } from './dom.js';
import { actions, mountReading, showAll } from './reading.js';
import { mountPlayers } from './players.js';
import './viewer.js';

const review = () => $('#review');
const comment = () => $('#comment');

/** Press the button or follow the link that has this key. */
function press(key) {
  const target = $(`[data-key="${key}"]`, review());
  if (!target) return false;
  if (key === 'n' && !comment().value.trim()) comment().focus();
  else target.click();
  return true;
}

const readers = { s: 'sync', v: 'source', p: 'turns', i: 'guide' };

function single(key) {
  if (key in readers) return actions[readers[key]]() !== false;
  return press(key);
}

function keyOf(event) {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  return key > '\u007f' && /^Key[A-Z]$/.test(event.code) ? event.code.slice(3).toLowerCase() : key;
}

document.addEventListener('keydown', (event) => {
  if (event.isComposing || event.defaultPrevented || event.altKey || !review() || $('dialog[open]')) return;
  if ((event.ctrlKey || event.metaKey) && event.key === 'Enter') {
    if (event.target === comment() && comment().value.trim()) press('n');
    event.preventDefault();
    return;
  }
  if (event.ctrlKey || event.metaKey) return;
  if (event.key === 'Escape') {
    if (isTyping(event.target)) event.target.blur();
    else showAll();
    return;
  }
  if (event.repeat || isTyping(event.target) || store.get('single-keys') === false) return;
  if (single(keyOf(event))) event.preventDefault();
});

// -------------------------------------------------------------------------------------------------- one verdict only
document.addEventListener('submit', (event) => {
  if (event.target !== review()) return;
  if (review().dataset.sent) event.preventDefault();
  else if (event.submitter?.value === 'return' && !comment().value.trim()) {
    event.preventDefault();
    comment().focus();
  } else review().dataset.sent = 'yes';
});

// Back to this page by the browser's button: it may be sent again.
window.addEventListener('pageshow', () => review()?.removeAttribute('data-sent'));

// ------------------------------------------------------------------------------------------------------- marked words
function mark(words) {
  const list = $('#marked');
  if ($$('input', list).some((input) => input.value === words)) return;
  const item = document.createElement('li');
  const text = document.createElement('q');
  const input = document.createElement('input');
  const button = document.createElement('button');
  item.className = 'ref';
  text.textContent = words;
  text.dir = 'auto';
  input.type = 'hidden';
  input.name = 'quote';
  input.value = words;
  button.type = 'button';
  button.textContent = '×';
  button.setAttribute('aria-label', list.dataset.remove);
  button.addEventListener('click', () => {
    item.remove();
    list.hidden = !list.children.length;
  });
  item.append(text, input, button);
  list.append(item);
  list.hidden = false;
  say(words);
}

document.addEventListener('mouseup', () => {
  const chosen = getSelection();
  const words = chosen.toString().trim();
  const reason = $('.reason', review());
  if (words.length > 1 && reason?.contains(chosen.anchorNode) && reason.contains(chosen.focusNode)) mark(words);
});

// ------------------------------------------------------------------------------------------------- links to responses
/** The range of the words in an element: letters and digits are compared, since quotes carry no markup. */
function rangeOf(words, root) {
  const plain = (text) => text.normalize('NFKC').toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  const wanted = plain(words);
  const places = [];
  let text = '';
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    [...node.data].reduce((at, character) => {
      for (const piece of plain(character)) {
        text += piece;
        for (let unit = 0; unit < piece.length; unit += 1) places.push([node, at, at + character.length]);
      }
      return at + character.length;
    }, 0);
  }
  const from = wanted ? text.indexOf(wanted) : -1;
  if (from < 0) return null;
  const range = document.createRange();
  const [first, start] = places[from];
  const [last, , end] = places[from + wanted.length - 1];
  range.setStart(first, start);
  range.setEnd(last, end);
  return range;
}

document.addEventListener('click', (event) => {
  const link = event.target.closest('[data-find]');
  if (!link) return;
  event.preventDefault();
  const { r: letter, find } = link.dataset;
  $(`.tabs [data-tab="${letter}"]`)?.click();
  const body = $(`#pane-${letter} .body`);
  const range = find && rangeOf(find, body);
  if (range) {
    getSelection().removeAllRanges();
    getSelection().addRange(range);
    range.startContainer.parentElement.scrollIntoView({ block: 'center' });
  } else body.scrollIntoView({ block: 'nearest' });
  body.focus({ preventScroll: true });
});

document.addEventListener(
  'DOMContentLoaded',
  () => {
    mountReading();
    mountPlayers();
    const target = $('[data-autofocus]', review() ?? document) ?? $('h1[data-autofocus]');
    target?.focus({ preventScroll: true });
  },
  { once: true },
);
