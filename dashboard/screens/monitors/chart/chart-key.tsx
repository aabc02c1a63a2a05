import { type ReactNode, useId } from 'react'
import { STROKES } from './chart-axes.ts'

const STROKE_CLASSES = { accent: 'stroke-accent', ink: 'stroke-ink', soft: 'stroke-soft' } as const

const SHADES = [
  { word: 'Down', colour: 'text-down', draw: <path d="M-2 10 10 -2M2 14 14 2" strokeWidth="1.2" /> },
  { word: 'Degraded', colour: 'text-degraded', draw: <path d="M0 4h8" strokeWidth="1.2" /> },
  {
    word: 'Maintenance',
    colour: 'text-maintenance',
    draw: <path d="M4 0v8" strokeWidth="1.2" />,
  },
  {
    word: 'Paused',
    colour: 'text-paused',
    draw: <circle cx="4" cy="4" r="1.2" fill="currentColor" stroke="none" />,
  },
]

/** The legend of the lines and patterns. */
export function ChartKey() {
  return (
    <ul className="flex flex-wrap gap-x-5 gap-y-1.5 px-4 pt-2 pb-1 text-sm text-soft" aria-label="Legend">
      {STROKES.map(({ name, colour, width, dash }) => (
        <Entry key={name} word={name}>
          <svg width="24" height="10" aria-hidden="true">
            <path
              d="M0 5h24"
              className={STROKE_CLASSES[colour]}
              strokeWidth={width}
              strokeDasharray={dash.join(' ')}
            />
          </svg>
        </Entry>
      ))}
      {SHADES.map(({ word, colour, draw }) => (
        <Entry key={word} word={word}>
          <Swatch colour={colour}>{draw}</Swatch>
        </Entry>
      ))}
    </ul>
  )
}

function Entry({ word, children }: { word: string; children: ReactNode }) {
  return (
    <li className="flex items-center gap-2">
      {children}
      {word}
    </li>
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
