import { useQuery } from '@tanstack/react-query'
import { question } from '../../data/ask.ts'
import { t } from '../../language/language.ts'
import { SelectField } from '../../parts/field.tsx'
import type { Form } from '../use-form.ts'
import { PAGE_TEXTS } from './page-fields.ts'

const NAME = 'template_id'

/** The template of posts that the service writes. */
export function TemplateField({ team, form }: { team: number; form: Form }) {
  const { data } = useQuery(question(team, 'listStatusTemplates', {}))
  return (
    <SelectField
      {...PAGE_TEXTS[NAME]}
      faults={form.faults(NAME)}
      value={String(form.draft[NAME])}
      onChange={({ target }) => form.set(NAME, target.value)}
    >
      <option value="">{t('A text in the language of the page')}</option>
      {data?.data.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </SelectField>
  )
}
