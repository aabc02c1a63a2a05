/**
 * Allowance for floating-point error: 301 of 400 is 75.25 %, but 301 / 400 * 10,000 is 7524.99…. Much smaller
 * than one check in any history.
 */
const SLACK = 1e-7

/** A share (0 to 1) in percent, truncated to so many decimals and never rounded up: only exactly 1 gives 100. */
export function percentOf(share: number, decimals: number): number {
  if (share === 1) return 100
  const whole = 100 * 10 ** decimals
  const steps = Math.min(Math.floor(share * whole + SLACK), whole - 1)
  return (steps * 100) / whole
}

/** Formats a share (0 to 1) as a percentage. It is truncated, never rounded up, so only exactly 1 shows as 100 %. */
export function formatPercent(share: number, decimals: number): string {
  const percent = percentOf(share, decimals)
  return percent === 100 ? '100 %' : `${percent.toFixed(decimals)} %`
}

/** From here on nines are what counts: 99.99 % and 99.999 % are different promises. */
const MANY_NINES = 0.999

/**
 * Formats an uptime for everyone who reads one: cut to two decimals, and to a third where that is not 0 from 99.9 % on.
 * Figures of two places can be compared, and a failure is never cut away.
 */
export function formatUptime(share: number): string {
  const said = formatPercent(share, share < MANY_NINES ? 2 : 3)
  return said.replace(/(\.\d\d)0 /, '$1 ')
}
