import { t } from '../../../language/language.ts'
import { LineKey, Shades } from '../../../parts/charts/key.tsx'
import type { LineLook } from '../../../parts/charts/model.ts'

/** The legend of the lines and patterns. */
export function ChartKey({ looks }: { looks: readonly LineLook[] }) {
  return (
    <ul
      className="flex flex-wrap gap-x-5 gap-y-1.5 px-4 pt-2 pb-2 text-sm text-soft"
      aria-label={t('Legend')}
    >
      {looks.map((look) => (
        <LineKey key={look.label} look={look}>
          {look.label}
        </LineKey>
      ))}
      <Shades />
    </ul>
  )
}
