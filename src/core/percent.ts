/** What binary fractions lose: 301 of 400 is 75.25 %, though 301 / 400 * 10,000 is 7524.99…. Far less than one check of any history. */
const SLACK = 1e-7

/** A share of 0 to 1 as a percentage that never rounds trouble away: it is cut, and only 1 is 100. */
export function sayPercent(share: number, decimals: number): string {
  if (share === 1) return '100 %'
  const whole = 100 * 10 ** decimals
  const steps = Math.min(Math.floor(share * whole + SLACK), whole - 1)
  return `${((steps * 100) / whole).toFixed(decimals)} %`
}
