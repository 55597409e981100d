/* Classic and blocking, in <head>: sets the stored theme before the first paint and says that scripts run. */
(() => {
  const root = document.documentElement;
  let theme = null;
  try {
    theme = localStorage.getItem('theme');
  } catch {
    /* storage is blocked: follow the system */
  }
  if (theme === 'dark' || theme === 'light') root.dataset.theme = theme;
  root.classList.add('js');
})();
