/* The judgement form: rows, marked row, preference, what is still missing. */
import { $, $$, changed, fill, gettext, isJudgement, ngettext, say, toast } from './dom.js';
import { isRewritten } from './rewrites.js';

let form = null;
let cells = [];
let current = -1;

const picked = (cell) => $$('input:checked', cell);
const textIn = (cell) => $('textarea', cell)?.value.trim() ?? '';
const isGiven = (cell) => (cell.dataset.kind === 'text' ? textIn(cell) !== '' : picked(cell).length > 0);
const name = (cell) => cell.getAttribute('aria-label');
const extra = () => $('[data-extra]:checked', form)?.value ?? '';
const ranks = () => cells.filter((cell) => cell.dataset.kind === 'rank');
const rankOf = (cell) => Number(picked(cell)[0]?.value ?? Infinity);
const firsts = () => {
  const best = Math.min(...ranks().map(rankOf));
  return ranks().filter((cell) => Number.isFinite(best) && rankOf(cell) === best);
};

/** Whether a row has to be filled, given what else was chosen. */
function isNeeded(cell) {
  if (!('need' in cell.dataset)) return false;
  const kind = cell.dataset.kind;
  if (kind === 'line') return true;
  if (kind === 'rank') return !extra();
  if (kind === 'margin') return !extra() && firsts().length === 1;
  if (kind === 'reason') return extra() === 'cannot_judge' && whyLength() === 0;
  return extra() !== 'cannot_judge';
}

const isMissing = (cell) => isNeeded(cell) && !isGiven(cell);

/** A reason for a rating is asked for where there is a rating. */
function isReasonNeeded(box) {
  const inputs = $$(`[name="${CSS.escape(box.dataset.needText)}"]`, form);
  return inputs.some((input) => (isTextBox(input) ? input.value.trim() !== '' : input.checked)) || inputs.some((input) => input.closest('[data-need]'));
}

const isTextBox = (input) => input.tagName === 'TEXTAREA';

/** The written reason: how many characters it needs now (0 = none). */
function neededLength() {
  const why = $('#why', form);
  if (extra() === 'cannot_judge') {
    const kind = $('[name="cannot_reason"]:checked', form)?.value ?? '';
    return kind === 'other' || !$('.cannot-reasons', form) ? 1 : 0;
  }
  const least = Number(why.dataset.min) || 0;
  // A least length asks nothing of an optional reason that is left empty.
  if ('required' in why.dataset) return least || 1;
  return whyLength() ? least : 0;
}

const whyLength = () => $('#why', form).value.trim().length;

/** Everything that must be filled, in page order: {element, done, label}. */
function requirements() {
  const list = cells.filter(isNeeded).map((cell) => ({ element: cell, done: isGiven(cell), label: name(cell) }));
  if (extra() !== 'cannot_judge') {
    for (const box of $$('[data-need-text]', form).filter(isReasonNeeded)) {
      list.push({ element: box, done: box.value.trim() !== '', label: box.getAttribute('aria-label') });
    }
  }
  if (neededLength()) {
    list.push({ element: $('#why', form), done: whyLength() >= neededLength(), label: gettext('the written reason') });
  }
  const { winner } = describe();
  if (winner && $(`[data-rewrite="${winner}"][data-required]`)) {
    const element = $(`[data-rewrite-open="${winner}"]`);
    list.push({ element, done: isRewritten(winner), label: fill(gettext('the rewrite of %(letter)s'), { letter: winner.toUpperCase() }) });
  }
  for (const box of $$('.flag:has(input[type="checkbox"]:checked) [data-needed-note]')) {
    list.push({ element: box, done: box.value.trim() !== '', label: box.getAttribute('aria-label') });
  }
  return list;
}

function mark(index, { focus = false, quiet = false } = {}) {
  cells[current]?.removeAttribute('data-cur');
  current = index;
  const cell = cells[index];
  if (!cell) return;
  cell.setAttribute('data-cur', '');
  if (!quiet) cell.scrollIntoView({ block: 'nearest' });
  if (focus) (picked(cell)[0] ?? $('input, textarea', cell)).focus({ preventScroll: true });
}

function nextMissing(from) {
  for (let step = 1; step <= cells.length; step += 1) {
    const index = (from + step) % cells.length;
    if (isMissing(cells[index])) return index;
  }
  return -1;
}

/** Go to the next or previous row; focus follows, so that a screen reader reads the group. */
export function move(step) {
  let index = Math.max(current, 0);
  for (let tried = 0; tried < cells.length; tried += 1) {
    index = (index + step + cells.length) % cells.length;
    if (!cells[index].checkVisibility()) continue;
    mark(index, { focus: true });
    return;
  }
}

function choose(input) {
  input.checked = true;
  changed(input);
}

function clearRow(cell) {
  for (const input of picked(cell)) {
    input.checked = false;
    changed(input);
  }
  if (textIn(cell)) {
    $('textarea', cell).value = '';
    changed($('textarea', cell));
  }
  say(fill(gettext('%(row)s cleared'), { row: name(cell) }));
}

/** A digit: give the marked row its n-th value and mark the next empty row; 0 clears the row. */
export function digit(number) {
  if (current < 0) mark(Math.max(0, nextMissing(-1)));
  const cell = cells[current];
  if (!cell) return;
  if (number === 0) {
    clearRow(cell);
    return;
  }
  if (cell.dataset.kind === 'text') {
    mark(current, { focus: true }); // words, not numbers, are wanted here
    return;
  }
  const input = $$('input', cell)[number - 1];
  if (!input) {
    say(fill(gettext('No value %(number)s here'), { number }));
    return;
  }
  const label = input.getAttribute('aria-label') ?? input.closest('label').textContent.trim();
  const said = { row: name(cell), choice: label };
  if (input.type === 'checkbox') {
    input.checked = !input.checked;
    changed(input);
    say(fill(input.checked ? gettext('%(row)s: %(choice)s on') : gettext('%(row)s: %(choice)s off'), said));
    return;
  }
  const focusIsInside = cell.contains(document.activeElement);
  choose(input);
  const next = nextMissing(current);
  if (next >= 0) {
    mark(next, { focus: focusIsInside });
    say(fill(gettext('%(row)s: %(choice)s. Next: %(next)s'), { ...said, next: name(cells[next]) }));
  } else {
    mark(current);
    say(fill(gettext('%(row)s: %(choice)s. All choices made. Press W to write why.'), said));
  }
}

/** A letter on the line of two: prefer that side; the same letter again makes it stronger; "t" is about equal. */
function preferSide(side, cell) {
  const weakestFirst = $$(`[data-side="${side}"]`, cell);
  if (side === 'a') weakestFirst.reverse();
  if (!weakestFirst.length) {
    say(gettext('There is no tie in this project'));
    return;
  }
  const now = weakestFirst.findIndex((input) => input.checked);
  const input = weakestFirst[Math.min(now + 1, weakestFirst.length - 1)];
  choose(input);
  mark(cells.indexOf(cell));
  say(input.getAttribute('aria-label'));
}

export function prefer(letter) {
  const line = cells.find((cell) => cell.dataset.kind === 'line');
  if (line) {
    preferSide(letter, line);
    return;
  }
  const cell = ranks().find((row) => row.dataset.r === letter);
  if (!cell) return;
  choose($('input', cell));
  const next = nextMissing(cells.indexOf(cell));
  mark(next >= 0 && cells[next].dataset.kind === 'rank' ? next : cells.indexOf(cell));
  say(fill(gettext('%(letter)s ranked first'), { letter: letter.toUpperCase() }));
}

const both = (one, other) => fill(gettext('%(one)s and %(other)s'), { one, other });

function describe() {
  const other = $('[data-extra]:checked', form);
  if (other) return { text: other.closest('label').textContent.trim(), winner: '', isSet: true };
  const line = $('[data-kind="line"] input:checked', form);
  if (line) {
    const side = line.dataset.side;
    return { text: line.getAttribute('aria-label'), winner: side === 't' ? '' : side, isSet: true };
  }
  if (!ranks().length) return { text: gettext('Not chosen yet'), winner: '', isSet: false };
  const best = firsts().map((cell) => cell.dataset.r.toUpperCase());
  if (best.length > 1) return { text: fill(gettext('%(letters)s tie'), { letters: best.reduce(both) }), winner: '', isSet: true };
  if (best.length === 1) return { text: fill(gettext('%(letter)s is best'), { letter: best[0] }), winner: best[0].toLowerCase(), isSet: true };
  return { text: gettext('Ties are allowed'), winner: '', isSet: false };
}

/** Bring counts, verdict, winner and labels in line with the form. */
export function refresh() {
  if (!form) return;
  const list = requirements();
  const done = list.filter((item) => item.done).length;
  $('#count').textContent = fill(gettext('%(done)s of %(all)s'), { done, all: list.length });
  $('#submit').setAttribute('aria-disabled', String(done < list.length));

  const { text, winner, isSet } = describe();
  $('#verdict').textContent = text;
  $('#verdict').classList.toggle('set', isSet);
  for (const pane of $$('.pane, .tabs [role="tab"]')) pane.classList.toggle('won', pane.dataset.r === winner);

  const cannot = extra() === 'cannot_judge';
  form.classList.toggle('cannot', cannot);
  const label = $('#why-label');
  label.textContent = cannot ? label.dataset.cannot : label.dataset.plain;
  const needed = neededLength();
  const length = whyLength();
  if (length < needed) {
    const more = fill(ngettext('%(count)s more character', '%(count)s more characters', needed - length), { count: needed - length });
    $('#why-count').textContent = needed === 1 ? gettext('required') : more;
  } else {
    const written = fill(ngettext('%(count)s character', '%(count)s characters', length), { count: length });
    $('#why-count').textContent = length ? written : gettext('optional');
  }
}

/** Ranking and "all bad / cannot judge" exclude each other; radios of one name see to that on the line of two. */
function keepCoherent(target) {
  const kind = target.closest('[data-cell]')?.dataset.kind;
  if ('extra' in target.dataset && target.checked) {
    for (const cell of cells) {
      if (['rank', 'margin'].includes(cell.dataset.kind)) for (const input of picked(cell)) input.checked = false;
    }
  } else if (['rank', 'margin'].includes(kind) && target.checked) {
    for (const input of $$('[data-extra]:checked', form)) input.checked = false;
  }
}

/** Returns false, and shows what is missing, when the form is not ready to be sent. */
export function isReady() {
  const missing = requirements().find((item) => !item.done);
  if (!missing) return true;
  const index = cells.indexOf(missing.element);
  if (index >= 0) mark(index, { focus: true });
  else {
    missing.element.closest('[popover]')?.showPopover();
    missing.element.focus();
    missing.element.scrollIntoView({ block: 'nearest' });
  }
  toast(fill(gettext('Still missing: %(what)s'), { what: missing.label }));
  return false;
}

export function mountJudge() {
  form = $('#judge');
  cells = form ? $$('[data-cell]', form) : [];
  current = -1;
  if (!form) return;
  refresh();
  mark(Math.max(0, nextMissing(-1)), { quiet: true });
}

document.addEventListener('input', (event) => {
  if (!isJudgement(event)) return;
  keepCoherent(event.target);
  refresh();
});

for (const type of ['focusin', 'pointerup']) {
  document.addEventListener(type, (event) => {
    const cell = event.target.closest?.('#judge [data-cell]');
    if (cell) mark(cells.indexOf(cell), { quiet: true });
  });
}

// A second click on a chosen "both bad" or "cannot judge" takes it back; a radio alone could not.
document.addEventListener('pointerdown', (event) => {
  const input = $('[data-extra]', event.target.closest?.('#judge .chip') ?? document.createElement('i'));
  if (input) input.dataset.was = String(input.checked);
});

document.addEventListener('click', (event) => {
  const input = event.target;
  if (!(input instanceof HTMLInputElement) || !('extra' in input.dataset) || input.dataset.was !== 'true') return;
  input.checked = false;
  input.dataset.was = 'false';
  changed(input);
});
