/** From here on a share looks like trouble. */
const HIGH_PERCENT = 90

/**
 * A share as a small bar with its figure, which alone is read out. From `high` on, the bar has another color and its
 * figure a mark.
 */
export function UsageBar({
  percent,
  text,
  high = HIGH_PERCENT,
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
      <Bar percent={percent} high={high} className="mt-0.5" />
    </span>
  )
}

/** The bar alone, for a figure that stands beside it. */
export function Bar({
  percent,
  high = HIGH_PERCENT,
  className = '',
}: {
  percent: number | null
  high?: number
  className?: string
}) {
  return (
    <span aria-hidden className={`block h-1.5 overflow-hidden rounded-full bg-line ${className}`}>
      {percent !== null && (
        <span
          className={`block h-full rounded-full ${percent >= high ? 'bg-degraded' : 'bg-accent'}`}
          style={{ width: `${Math.max(0, Math.min(100, percent))}%` }}
        />
      )}
    </span>
  )
}
