import { KeyEntry, Shades } from '../../../parts/charts/key.tsx'
import { STROKES } from './chart-axes.ts'

const STROKE_CLASSES = { accent: 'stroke-accent', ink: 'stroke-ink', soft: 'stroke-soft' } as const

/** The legend of the lines and patterns. */
export function ChartKey() {
  return (
    <ul className="flex flex-wrap gap-x-5 gap-y-1.5 px-4 pt-2 pb-1 text-sm text-soft" aria-label="Legend">
      {STROKES.map(({ name, colour, width, dash }) => (
        <KeyEntry key={name} word={name}>
          <svg width="24" height="10" aria-hidden="true">
            <path
              d="M0 5h24"
              className={STROKE_CLASSES[colour]}
              strokeWidth={width}
              strokeDasharray={dash.join(' ')}
            />
          </svg>
        </KeyEntry>
      ))}
      <Shades />
    </ul>
  )
}
