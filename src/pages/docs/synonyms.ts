/**
 * The words of readers and those of the pages, by subject: where one phrase of a line is typed, the others are searched
 * for, too. Each word stands for its stem, so `alert` covers "alerts" and "alerted".
 */
export const SYNONYMS: string[][] = [
  ['2fa', 'mfa', 'two-factor', 'second factor', 'authenticator'],
  ['add', 'create', 'new'],
  ['alert', 'notify', 'notification'],
  ['announcement', 'post'],
  ['backup', 'back up'],
  ['colleague', 'coworker', 'teammate', 'invite', 'member'],
  ['cron', 'cronjob', 'crontab', 'scheduled task', 'heartbeat'],
  ['custom domain', 'own domain'],
  ['dark mode', 'theme'],
  ['delete', 'remove', 'uninstall'],
  ['docker', 'podman', 'container'],
  ['email', 'e-mail', 'mail', 'smtp'],
  ['env', 'environment variable', 'setting', 'configuration'],
  ['false alarm', 'false positive', 'false alert'],
  ['forgot', 'forget', 'forgotten', 'lost', 'reset', 'recover'],
  ['hotkey', 'shortcut', 'keyboard'],
  ['https', 'tls', 'ssl'],
  ['k8s', 'kubernetes'],
  ['location', 'place', 'region'],
  ['login', 'log in', 'sign in'],
  ['mute', 'silence', 'snooze', 'maintenance'],
  ['outage', 'downtime', 'incident'],
  ['multi-step', 'multistep', 'several requests'],
  ['permission', 'role'],
  ['phone', 'smartphone', 'iphone', 'android', 'mobile'],
  ['postgres', 'postgresql'],
  ['register', 'sign up', 'create an account'],
  ['retry', 'attempt'],
  ['rotate', 'renew', 'revoke'],
  ['sso', 'oidc', 'openid', 'provider'],
  ['timezone', 'time zone', 'utc'],
  ['update', 'upgrade'],
  ['vm', 'machine', 'host', 'server'],
]

/** Words that say nothing about the subject of a question. */
export const STOP_WORDS = new Set(
  `a about am an and any are as at be but by can could did do does for from get has have how i if in is it its me my of
  on or our please should so than that the their them there these they this to us want was we what when where which who
  why will with would you your`.split(/\s+/),
)
