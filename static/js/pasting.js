/* How much of the reason was pasted: a number that reviewers see beside it, nothing more. */
import { $ } from './dom.js';

document.addEventListener('paste', (event) => {
  if (event.target.id !== 'why') return;
  const counter = $('#pasted');
  if (counter) counter.value = String(Math.min(9_999_999, Number(counter.value) + (event.clipboardData?.getData('text/plain') ?? '').length));
});
