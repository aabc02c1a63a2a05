import { type ReactNode, useId } from 'react'
import { t } from '../../language/language.ts'
import { FAINT_OPACITY, type LineLook } from './model.ts'

const SHADES = [
  { word: t('Down'), colour: 'text-down', draw: <path d="M-2 10 10 -2M2 14 14 2" strokeWidth="1.2" /> },
  { word: t('Degraded'), colour: 'text-degraded', draw: <path d="M0 4h8" strokeWidth="1.2" /> },
  {
    word: t('Maintenance'),
    colour: 'text-maintenance',
    draw: <path d="M4 0v8" strokeWidth="1.2" />,
  },
  {
    word: t('Paused'),
    colour: 'text-paused',
    draw: <circle cx="4" cy="4" r="1.2" fill="currentColor" stroke="none" />,
  },
]

/** Entries of a legend for what is shaded behind the lines. */
export function Shades() {
  return SHADES.map(({ word, colour, draw }) => (
    <KeyEntry key={word} word={word}>
      <Swatch colour={colour}>{draw}</Swatch>
    </KeyEntry>
  ))
}

function KeyEntry({ word, children }: { word: ReactNode; children: ReactNode }) {
  return (
    <li className="flex items-center gap-2">
      {children}
      {word}
    </li>
  )
}

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

/** A line as it is drawn, with its name. */
export function LineKey({
  look: { colour, width, dash, isFaint },
  children,
}: {
  look: Omit<LineLook, 'label'>
  children: ReactNode
}) {
  return (
    <KeyEntry word={children}>
      <svg width="24" height="10" aria-hidden="true" className="shrink-0">
        <path
          d="M0 5h24"
          className={STROKE_CLASSES[colour]}
          strokeWidth={width}
          strokeDasharray={dash.join(' ')}
          {...(isFaint && { strokeOpacity: FAINT_OPACITY })}
        />
      </svg>
    </KeyEntry>
  )
}

function Swatch({ colour, children }: { colour: string; children: ReactNode }) {
  const id = useId()
  return (
    <svg width="24" height="14" aria-hidden="true" className={colour}>
      <defs>
        <pattern id={id} width="8" height="8" patternUnits="userSpaceOnUse" stroke="currentColor">
          {children}
        </pattern>
      </defs>
      <rect width="24" height="14" fill="currentColor" opacity="0.12" />
      <rect width="24" height="14" fill={`url(#${id})`} opacity="0.7" />
      <rect width="24" height="2.5" fill="currentColor" />
    </svg>
  )
}
