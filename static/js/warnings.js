/* What looks like a slip: go back to it, or submit as it is. */
import { $, gettext, isJudgement, say } from './dom.js';

document.addEventListener('click', (event) => {
  // Kept in the form as well as on the button: a submit that is sent again by itself has no button.
  const accepted = event.target.closest('[data-accept]');
  if (accepted) $('#accepted').value = accepted.value;
  if (!event.target.closest('[data-act="mend"]')) return;
  $('#caution').remove();
  ($('#judge [data-cell] input:checked') ?? $('#judge [data-cell] input') ?? $('#why')).focus();
  say(gettext('Go on judging'));
});

document.addEventListener('input', (event) => {
  if (isJudgement(event)) $('#accepted').value = '';
});
