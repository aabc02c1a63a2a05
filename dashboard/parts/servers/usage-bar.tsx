/**
 * A share as a small bar with its figure, which alone is read out. From `high` on, the bar has another color and its figure a
 * mark.
 */
export function UsageBar({
  percent,
  text,
  high = 90,
  className = 'w-28',
}: {
  /** Null if it is not known. */
  percent: number | null
  text: string
  high?: number
  className?: string
}) {
  const isHigh = percent !== null && percent >= high
  return (
    <span className={`inline-block ${className}`}>
      <span className={`block text-right text-sm leading-5 ${isHigh ? 'font-semibold text-degraded' : ''}`}>
        {isHigh && (
          <span aria-hidden className="mr-1">
            ▲
          </span>
        )}
        {text}
      </span>
      <span aria-hidden className="mt-0.5 block h-1.5 overflow-hidden rounded-full bg-line">
        {percent !== null && (
          <span
            className={`block h-full rounded-full ${isHigh ? 'bg-degraded' : 'bg-accent'}`}
            style={{ width: `${Math.max(0, Math.min(100, percent))}%` }}
          />
        )}
      </span>
    </span>
  )
}
