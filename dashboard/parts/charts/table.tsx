import { type ReactNode, useState } from 'react'
import { t } from '../../language/language.ts'
import type { ChartSize } from './model.ts'

const LOOKS = { large: 'py-2.5', small: 'py-2' } as const satisfies Record<ChartSize, string>
const CELL = 'px-2 py-1.5 whitespace-nowrap last:pr-4'

/** A step of a chart, with a cell for each heading. */
export type TableRow = { at: number | string; from: string; cells: (string | number)[] }

/** The chart as a table of figures, which is made once it is opened. Its place is there before its rows are. */
export function ChartTable({
  label,
  size,
  heads,
  rows,
  children,
}: {
  label: string
  size: ChartSize
  heads: readonly string[]
  /** Newest first. */
  rows: (() => TableRow[]) | undefined
  /** Stands above the table. */
  children?: ReactNode
}) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details className="border-t border-line" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className={`px-4 text-sm text-soft hover:text-ink ${LOOKS[size]}`}>
        {t('Show as a table')}
      </summary>
      {isOpen && rows && (
        <>
          {children}
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard */}
          <section tabIndex={0} aria-label={label} className="max-h-80 overflow-auto">
            <table className="w-full text-sm">
              <thead className="sticky top-0 bg-sunken text-right text-soft">
                <tr>
                  <th className="px-4 py-1.5 text-left font-medium">{t('From')}</th>
                  {heads.map((name) => (
                    <th key={name} className={`${CELL} font-medium`}>
                      {name}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody className="text-right">
                {rows().map(({ at, from, cells }) => (
                  <tr key={at} className="border-t border-line">
                    <th scope="row" className="px-4 py-1.5 text-left font-normal whitespace-nowrap">
                      {from}
                    </th>
                    {heads.map((name, index) => (
                      <td key={name} className={CELL}>
                        {cells[index]}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
        </>
      )}
    </details>
  )
}
