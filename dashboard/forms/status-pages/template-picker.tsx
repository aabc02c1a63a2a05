import { useQuery } from '@tanstack/react-query'
import { phasesOf } from '../../../src/core/status-pages/post.ts'
import { fillTemplate, templateTime } from '../../../src/core/status-pages/posts/post-template.ts'
import { question } from '../../data/ask.ts'
import { t } from '../../language/language.ts'
import { SelectField } from '../../parts/field.tsx'
import type { Pair } from '../draft.ts'
import { componentsOf, type OfPost } from './post-fields.ts'

/** Fills phase and text from a template, and the title where the form has one. */
export function TemplatePicker({ team, page, kind, form }: OfPost) {
  const { data } = useQuery(question(team, 'listStatusTemplates', {}))
  const templates = data?.data.filter(({ phase }) => phasesOf(kind).includes(phase)) ?? []
  if (templates.length === 0) return null

  function take(id: string) {
    const template = templates.find((one) => String(one.id) === id)
    if (!template) return
    const affected = new Set((form.draft.impacts as Pair[]).map(({ key }) => key))
    const names = componentsOf(page).filter(({ component }) => affected.has(component.id))
    const values = {
      page: page.name,
      // Without any the placeholder stays to be seen.
      component: names.map(({ component }) => component.name).join(', ') || '{component}',
      time: templateTime(new Date()),
    }
    form.set('phase', template.phase)
    form.set('body', fillTemplate(template.body, values))
    if ('title' in form.draft) form.set('title', fillTemplate(template.title, values))
  }

  return (
    <SelectField
      label={t('Template')}
      hint={t('Replaces title and text.')}
      value=""
      onChange={({ target }) => take(target.value)}
    >
      <option value="">{t('Choose…')}</option>
      {templates.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </SelectField>
  )
}
