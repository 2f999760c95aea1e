// Before anything is drawn: the theme and language chosen last time, so that the page never flashes the wrong room.
(function () {
  try {
    var prefs = JSON.parse(localStorage.getItem('ludoteca.prefs') || '{}');
    if (prefs.theme === 'light' || prefs.theme === 'dark') document.documentElement.dataset.theme = prefs.theme;
    var lang = prefs.lang || (/^it\b/i.test(navigator.language) ? 'it' : 'en');
    document.documentElement.lang = lang === 'it' ? 'it' : 'en';
  } catch {
    // Storage may be closed; the defaults are fine.
  }
})();
