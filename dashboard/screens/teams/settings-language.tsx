import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { LANGUAGES, Language } from '../../../src/core/language/language.ts'
import type { TeamLanguage as Settings } from '../../../src/core/teams/team-language.ts'
import { ask, question } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { TimeZoneForm } from '../../forms/alerting/time-zone-form.tsx'
import { t } from '../../language/language.ts'
import { Answered } from '../../parts/feedback/answered.tsx'
import { useNotices } from '../../parts/feedback/notices.tsx'
import { Refused } from '../../parts/feedback/refused.tsx'
import { SelectField } from '../../parts/field.tsx'
import { Section } from '../../parts/panel.tsx'

/** The language and times of what the team sends. Each person chooses the language of the dashboard in their menu. */
export function TeamLanguage() {
  const { id, may } = useTeam()
  const shown = useQuery(question(id, 'showTeamLanguage', {}))
  return (
    <Section
      title={t('Language and time zone of alerts')}
      about={t(
        'The language is for digests and monthly reports, too; you choose that of the dashboard in your own menu. A contact can have a time zone of its own. Webhooks and PagerDuty get UTC.',
      )}
    >
      <Answered answer={shown} lines={3}>
        {({ data }) => (
          <div className="flex max-w-sm flex-col gap-4 p-4">
            {may('write') ? (
              <Fields settings={data} />
            ) : (
              <>
                <p>{LANGUAGES[data.language].name}</p>
                <p>{t('Alerts give times in {zone}.', { zone: data.time_zone ?? 'UTC' })}</p>
              </>
            )}
          </div>
        )}
      </Answered>
    </Section>
  )
}

function Fields({ settings }: { settings: Settings }) {
  const { id } = useTeam()
  const queries = useQueryClient()
  const say = useNotices()
  const refresh = () => queries.invalidateQueries({ queryKey: [id, 'showTeamLanguage'] })
  const save = useMutation({
    mutationFn: (language: Language) => ask(id, 'updateTeamLanguage', { body: { language } }),
    onSuccess: async () => {
      say.done(t('Alerts are written in this language from now on.'))
      await refresh()
    },
  })
  return (
    <>
      <SelectField
        label={t('Language')}
        value={settings.language}
        disabled={save.isPending}
        onChange={({ target }) => save.mutate(Language.parse(target.value))}
      >
        {Language.options.map((language) => (
          <option key={language} value={language}>
            {LANGUAGES[language].name}
          </option>
        ))}
      </SelectField>
      <Refused error={save.error} />
      <TimeZoneForm
        key={String(settings.time_zone)}
        zone={settings.time_zone}
        none={t('In UTC')}
        send={(time_zone) => ask(id, 'updateTeamLanguage', { body: { time_zone } })}
        onDone={() => void refresh()}
      />
    </>
  )
}
