import { t } from '../../../language/language.ts'
import { KeyEntry, Shades } from '../../../parts/charts/key.tsx'
import { FAINT_OPACITY, type LineLook } from './chart-model.ts'

const STROKE_CLASSES: Record<LineLook['colour'], string> = {
  accent: 'stroke-accent',
  ink: 'stroke-ink',
  soft: 'stroke-soft',
  'chart-1': 'stroke-chart-1',
  'chart-2': 'stroke-chart-2',
  'chart-3': 'stroke-chart-3',
  'chart-4': 'stroke-chart-4',
  'chart-5': 'stroke-chart-5',
  'chart-6': 'stroke-chart-6',
}

/** The legend of the lines and patterns. */
export function ChartKey({ looks }: { looks: readonly LineLook[] }) {
  return (
    <ul
      className="flex flex-wrap gap-x-5 gap-y-1.5 px-4 pt-2 pb-2 text-sm text-soft"
      aria-label={t('Legend')}
    >
      {looks.map(({ label, colour, width, dash, isFaint }) => (
        <KeyEntry key={label} word={label}>
          <svg width="24" height="10" aria-hidden="true">
            <path
              d="M0 5h24"
              className={STROKE_CLASSES[colour]}
              strokeWidth={width}
              strokeDasharray={dash.join(' ')}
              {...(isFaint && { strokeOpacity: FAINT_OPACITY })}
            />
          </svg>
        </KeyEntry>
      ))}
      <Shades />
    </ul>
  )
}
