/* Mentions and quotes in the reason. A quote remembers where it stands in the reason and in the response's source, in
   UTF-16 units, and moves along when the text around it changes. Mentions are found in the text itself. */
import { $, $$, changed, fill, gettext, say } from './dom.js';

const MENTION = /(?<![\p{L}\p{N}_@])@([A-I])(?![\p{L}\p{N}_])|(?<![\p{L}\p{N}_])[Rr]esponse ([A-I])(?![\p{L}\p{N}_])/gu;
const LONGEST = 300;

let quotes = [];
let before = '';

const why = () => $('#why');
const letters = () => $$('.pane').map((pane) => pane.dataset.r);

/** Letters and digits of a text, with the place of each in it: markup and spaces do not count. */
function skeleton(text) {
  let words = '';
  const starts = [];
  const ends = [];
  let place = 0;
  for (const character of text) {
    for (const piece of character.normalize('NFKC').toLowerCase()) {
      if (!/[\p{L}\p{N}]/u.test(piece)) continue;
      words += piece;
      for (let unit = 0; unit < piece.length; unit += 1) {
        starts.push(place);
        ends.push(place + character.length);
      }
    }
    place += character.length;
  }
  return { words, starts, ends };
}

/** The characters of the selection that stand before it in its pane: they tell which of several equal passages is meant. */
function textBefore(range, body) {
  const head = document.createRange();
  head.setStart(body, 0);
  head.setEnd(range.startContainer, range.startOffset);
  return head.toString();
}

/** Where the selected words are in the source: [start, end], or null when they are not there as such. */
export function locate(selected, ahead, source) {
  const wanted = skeleton(selected).words;
  if (!wanted) return null;
  const { words, starts, ends } = skeleton(source);
  const times = skeleton(ahead).words.split(wanted).length - 1;
  let at = -1;
  for (let time = 0; time <= times; time += 1) {
    const next = words.indexOf(wanted, at + 1);
    if (next < 0) break;
    at = next;
  }
  return at < 0 ? null : [starts[at], ends[at + wanted.length - 1]];
}

/** Move the quotes with the text; a quote whose own text was changed is no quote any more. */
function follow(after) {
  if (after === before) return;
  let start = 0;
  while (start < before.length && before[start] === after[start]) start += 1;
  let tail = 0;
  while (tail < before.length - start && tail < after.length - start && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const end = before.length - tail;
  const moved = after.length - before.length;
  quotes = quotes
    .filter(({ at }) => at[1] <= start || at[0] >= end)
    .map((item) => (item.at[0] >= end ? { ...item, at: item.at.map((place) => place + moved) } : item));
  before = after;
}

function chip(letter, text, drop) {
  const item = document.createElement('li');
  item.className = 'ref';
  item.dataset.r = letter;
  const badge = document.createElement('span');
  badge.className = 'badge';
  badge.textContent = letter.toUpperCase();
  item.append(badge, text);
  if (!drop) return item;
  const button = document.createElement('button');
  button.type = 'button';
  button.setAttribute('aria-label', fill(gettext('Remove the quote of response %(letter)s'), { letter: letter.toUpperCase() }));
  button.textContent = '×';
  button.addEventListener('click', drop);
  item.append(button);
  return item;
}

function removeQuote(quote) {
  const box = why();
  box.value = `${box.value.slice(0, quote.at[0])}${box.value.slice(quote.at[1])}`;
  changed(box);
  box.focus();
}

function quoteChip(quote) {
  const text = document.createElement('q');
  text.textContent = quote.text;
  return chip(quote.letter, text, () => removeQuote(quote));
}

function mentioned(text) {
  const found = new Set();
  for (const match of text.matchAll(MENTION)) {
    const letter = (match[1] ?? match[2]).toLowerCase();
    if (letters().includes(letter) && !quotes.some(({ at }) => at[0] <= match.index && match.index < at[1])) found.add(letter);
  }
  return [...found];
}

function draw() {
  const list = $('#refs');
  const texts = mentioned(why().value).map((letter) => chip(letter, gettext('mentioned')));
  list.replaceChildren(...texts, ...quotes.map(quoteChip));
  list.hidden = !list.children.length;
}

function write() {
  $('#references').value = quotes.length ? JSON.stringify(quotes) : '';
}

/** Put text at the cursor of the reason, or at its end when it was never there. Returns where it starts. */
function insert(text) {
  const box = why();
  const from = document.activeElement === box || box.selectionEnd ? box.selectionEnd : box.value.length;
  const gap = from && !/\s$/.test(box.value.slice(0, from)) ? ' ' : '';
  box.setRangeText(`${gap}${text}`, from, from, 'end');
  return from + gap.length;
}

export function mention(letter) {
  insert(`@${letter.toUpperCase()} `);
  changed(why());
  why().focus();
}

/** What is selected in a response: {pane, range, text}, cut at the end of the response; null for anything else. */
function selected() {
  const selection = getSelection();
  if (!selection.rangeCount) return null;
  const range = selection.getRangeAt(0).cloneRange();
  const start = range.startContainer;
  const body = (start.nodeType === Node.ELEMENT_NODE ? start : start.parentElement)?.closest('.pane .body');
  if (!body) return null;
  const isInside = body.contains(range.endContainer);
  if (!isInside) range.setEnd(body, body.childNodes.length); // three clicks also take the start of what follows
  const words = isInside ? selection.toString() : range.toString();
  const text = words.replace(/\s+/g, ' ').trim().slice(0, LONGEST).trim();
  return text ? { pane: body.closest('.pane'), body, range, text } : null;
}

/** Quote the selected text into the reason, with the letter of its response. */
export function quote() {
  const found = selected();
  if (!found) return false;
  const { pane, body, range, text } = found;
  const shown = range.startContainer.parentElement?.closest('.raw, .md') ?? body;
  const where = locate(text, textBefore(range, shown), $('template', pane).content.textContent);
  const letter = pane.dataset.r;
  const head = `@${letter.toUpperCase()}: “`;
  const at = insert(`${head}${text}” `) + head.length;
  follow(why().value);
  quotes = [...quotes, { letter, at: [at, at + text.length], quote: where, text }].sort((one, other) => one.at[0] - other.at[0]);
  write();
  changed(why());
  why().focus();
  say(fill(gettext('Quoted from response %(letter)s'), { letter: letter.toUpperCase() }));
  return true;
}

document.addEventListener('click', (event) => {
  const letter = event.target.closest('[data-mention]')?.dataset.mention;
  if (letter) mention(letter);
});

// Capturing: the draft that the same event causes must already hold the moved quotes.
document.addEventListener(
  'input',
  (event) => {
    if (event.target.id !== 'why') return;
    follow(event.target.value);
    write();
    draw();
  },
  true,
);

function read() {
  try {
    const stored = JSON.parse($('#references').value || '[]');
    return stored.filter(({ at, text }) => why().value.slice(at[0], at[1]) === text);
  } catch {
    return [];
  }
}

/** After the form was filled: from the server, or from what this device had kept. */
export function mountReferences() {
  if (!why()) return;
  before = why().value;
  quotes = read();
  draw();
}
