/* Flags: chips in the pane's header follow the boxes; key L opens the box of the response one is at. */
import { $, $$ } from './dom.js';

function refresh(pane) {
  const boxes = $$('.flagbox input[type="checkbox"]', pane);
  for (const box of boxes) {
    const chip = $(`.flagged [data-kind="${box.value}"]`, pane);
    if (chip) chip.hidden = !box.checked;
  }
  pane.classList.toggle('is-flagged', boxes.some((box) => box.checked));
}

/** Open the flags of the response that has the focus or the marked row, else of the first one that is shown. */
export function openFlags() {
  const marked = $('#judge [data-cur]')?.dataset.r;
  const pane =
    document.activeElement?.closest?.('.pane') ??
    (marked && $(`#pane-${marked}`)) ??
    $$('.pane').find((item) => item.checkVisibility());
  const box = pane && $('.flagbox', pane);
  if (!box) return false;
  box.showPopover({ source: $('.flagging', pane) });
  $('input', box).focus();
  return true;
}

document.addEventListener('input', (event) => {
  const box = event.target.closest?.('.flagbox');
  if (!box) return;
  // A flag that needs a note is asked for it at once.
  const note = $('input[type="text"]', event.target.closest('.flag'));
  if (event.target.type === 'checkbox' && event.target.checked && 'neededNote' in note.dataset) note.focus();
  refresh(box.closest('.pane'));
});

export function mountFlags() {
  for (const pane of $$('.pane:has(.flagbox)')) refresh(pane);
  $('.flagbox:has([aria-invalid="true"])')?.showPopover();
}
