import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { LANGUAGES, Language } from '../../../src/core/language/language.ts'
import { ask, question } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { t } from '../../language/language.ts'
import { Answered } from '../../parts/feedback/answered.tsx'
import { useNotices } from '../../parts/feedback/notices.tsx'
import { Refused } from '../../parts/feedback/refused.tsx'
import { SelectField } from '../../parts/field.tsx'
import { Section } from '../../parts/panel.tsx'

/** The language of what the team sends. Each person chooses their own for the dashboard, in their menu. */
export function TeamLanguage() {
  const { id, may } = useTeam()
  const queries = useQueryClient()
  const say = useNotices()
  const shown = useQuery(question(id, 'showTeamLanguage', {}))
  const save = useMutation({
    mutationFn: (language: Language) => ask(id, 'updateTeamLanguage', { body: { language } }),
    onSuccess: async () => {
      say.done(t('Alerts are written in this language from now on.'))
      await queries.invalidateQueries({ queryKey: [id, 'showTeamLanguage'] })
    },
  })
  return (
    <Section
      title={t('Language of alerts')}
      about={t(
        'For alerts, digests and monthly reports. You choose the language of the dashboard in your own menu.',
      )}
    >
      <Answered answer={shown} lines={1}>
        {({ data }) => (
          <div className="flex flex-col gap-3 p-4">
            {may('write') ? (
              <SelectField
                label={t('Language')}
                className="w-full max-w-sm"
                value={data.language}
                disabled={save.isPending}
                onChange={({ target }) => save.mutate(Language.parse(target.value))}
              >
                {Language.options.map((language) => (
                  <option key={language} value={language}>
                    {LANGUAGES[language].name}
                  </option>
                ))}
              </SelectField>
            ) : (
              <p>{LANGUAGES[data.language].name}</p>
            )}
            <Refused error={save.error} />
          </div>
        )}
      </Answered>
    </Section>
  )
}
