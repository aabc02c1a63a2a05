// Before the first paint, so that nobody who chose a theme sees the other one flash.
const chosen = localStorage.getItem('upbeat-theme')
if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen
