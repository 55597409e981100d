/* How long somebody really worked: the page is in view, the window has the focus and something happened within the last
   minute. The rest of the time that the page is open is idle. Both go with every draft and submit; the server trusts
   neither beyond the time that really passed. */
import { $ } from './dom.js';

const IDLE_AFTER = 60_000;
const TICK = 1_000;

const state = { active: 0, idle: 0, last: 0, lastSign: 0, timer: 0 };

const isInUse = (now) => document.visibilityState === 'visible' && document.hasFocus() && now - state.lastSign < IDLE_AFTER;

function count() {
  const now = performance.now();
  const passed = now - state.last;
  state.last = now;
  if (isInUse(now)) state.active += passed;
  else state.idle += passed;
  const active = $('#active');
  if (!active) return;
  active.value = String(Math.round(state.active / 1000));
  $('#idle').value = String(Math.round(state.idle / 1000));
}

function sign() {
  // What passed before a sign of life was counted under the rule that held until then.
  if (performance.now() - state.lastSign > TICK) count();
  state.lastSign = performance.now();
}

for (const type of ['pointermove', 'pointerdown', 'keydown', 'wheel', 'scroll', 'touchstart']) {
  document.addEventListener(type, sign, { passive: true, capture: true });
}
document.addEventListener('visibilitychange', count);
window.addEventListener('focus', count);
window.addEventListener('blur', count);

/** A new panel starts where the server says that this turn stands. */
export function mountActiveTime() {
  clearInterval(state.timer);
  const form = $('#judge');
  if (!form) return;
  const now = performance.now();
  Object.assign(state, { active: Number($('#active').value) * 1000, idle: Number($('#idle').value) * 1000, last: now, lastSign: now });
  state.timer = setInterval(count, TICK);
}
