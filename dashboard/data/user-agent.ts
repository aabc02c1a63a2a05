import { t } from '../language/language.ts'

/** Browsers that also claim to be others come before those. */
const BROWSERS = [
  [/\bEdgA?\/|\bEdgiOS\//, t('Edge')],
  [/\bOPR\/|\bOPT\//, t('Opera')],
  [/\bVivaldi\//, t('Vivaldi')],
  [/\bSamsungBrowser\//, t('Samsung Internet')],
  [/\bFirefox\/|\bFxiOS\//, t('Firefox')],
  [/\bHeadlessChrome\/|\bChrome\/|\bCriOS\//, t('Chrome')],
  [/\bVersion\/[\d.]+.*\bSafari\//, t('Safari')],
  [/^curl\//, 'curl'],
] as const

const SYSTEMS = [
  [/\biPhone\b|\biPod\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, t('Android')],
  [/\bWindows\b/, t('Windows')],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b|\bX11\b/, t('Linux')],
] as const

/** `Firefox on Windows`: the everyday names of the browser and the system in a user agent. */
export function sayUserAgent(userAgent: string): string {
  const browser = BROWSERS.find(([pattern]) => pattern.test(userAgent))?.[1]
  const system = SYSTEMS.find(([pattern]) => pattern.test(userAgent))?.[1]
  if (!browser && !system) return t('Unknown browser')
  return system ? `${browser ?? t('A browser')} on ${system}` : (browser as string)
}
