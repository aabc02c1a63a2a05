import type { StatusPageDetail } from '../../../../src/core/status-pages/shown-page.ts'
import { PAGE_OPTIONS, PAGE_TEXTS } from '../../../forms/status-pages/page-fields.ts'
import { t } from '../../../language/language.ts'
import { Fact, FactList } from '../../../parts/facts.tsx'
import { Panel } from '../../../parts/panel.tsx'

/** The settings of a page, for people who may not change them. */
export function PageFacts({ page: { fields, domains } }: { page: StatusPageDetail }) {
  const rows: [name: string, value: string][] = [
    [PAGE_TEXTS.name.label, fields.name],
    [PAGE_TEXTS.slug.label, `/status/${fields.slug}`],
    [PAGE_TEXTS.description.label, fields.description || '–'],
    [PAGE_TEXTS.visibility.label, PAGE_OPTIONS.visibility[fields.visibility]],
    [PAGE_TEXTS.networks.label, fields.networks.join(', ') || '–'],
    [PAGE_TEXTS.language.label, PAGE_OPTIONS.language[fields.language]],
    [PAGE_TEXTS.theme.label, PAGE_OPTIONS.theme[fields.theme]],
    [PAGE_TEXTS.days.label, String(fields.days)],
    [PAGE_TEXTS.posts.label, PAGE_OPTIONS.posts[fields.posts]],
    [PAGE_TEXTS.allows_subscribers.label, fields.allows_subscribers ? t('Yes') : t('No')],
    [t('Own domains'), domains.map(({ domain }) => domain).join(', ') || '–'],
  ]
  return (
    <Panel title={t('Settings')}>
      <FactList>
        {rows.map(([name, value]) => (
          <Fact key={name} name={name}>
            {value}
          </Fact>
        ))}
      </FactList>
    </Panel>
  )
}
