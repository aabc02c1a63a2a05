// Runs before the first paint, so that the other theme does not flash.
const chosen = localStorage.getItem('upbeat-theme')
if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen
// A wallboard is dark unless somebody chose (app/theme.ts).
else if (location.pathname.endsWith('/wallboard')) document.documentElement.dataset.theme = 'dark'
