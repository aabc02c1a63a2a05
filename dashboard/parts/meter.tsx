/** Shows how much of a limit is used; the figures beside it say the same. */
export function Meter({ value, max }: { value: number; max: number }) {
  const share = max === 0 ? 1 : Math.min(1, value / max)
  return (
    <div aria-hidden className="mt-1.5 h-2 max-w-sm overflow-hidden rounded-full bg-sunken">
      <div
        className={`h-full rounded-full ${share >= 1 ? 'bg-degraded' : 'bg-accent'}`}
        style={{ width: `${share * 100}%` }}
      />
    </div>
  )
}
