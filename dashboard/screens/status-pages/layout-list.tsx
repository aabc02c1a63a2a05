import { isGroup, type LayoutDraft, nameOf } from '../../forms/status-pages/layout-draft.ts'
import { t } from '../../language/language.ts'
import { Panel } from '../../parts/panel.tsx'
import { ComponentAbout } from './component-about.tsx'

/** The rows of a page, for people who may not change it. */
export function LayoutList({ layout }: { layout: LayoutDraft }) {
  return (
    <Panel title={t('Components')}>
      {layout.length === 0 && (
        <p className="px-4 py-5 text-soft">{t('There is nothing on this page yet.')}</p>
      )}
      <ul className="divide-y divide-line">
        {layout.map((item) => (
          <li key={item.key} className="px-4 py-2.5">
            <p className="font-medium break-words">{nameOf(item)}</p>
            {isGroup(item) ? (
              <ul className="mt-1 flex flex-col gap-1.5 border-l border-line pl-4">
                {item.components.map((component) => (
                  <li key={component.key}>
                    <p className="break-words">{nameOf(component)}</p>
                    <ComponentAbout component={component} />
                  </li>
                ))}
              </ul>
            ) : (
              <ComponentAbout component={item} />
            )}
          </li>
        ))}
      </ul>
    </Panel>
  )
}
