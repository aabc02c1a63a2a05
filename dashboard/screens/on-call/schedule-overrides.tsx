import type { ScheduleDetail } from '../../../src/core/on-call/shown-schedule.ts'
import { ask } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { t } from '../../language/language.ts'
import { Button } from '../../parts/button.tsx'
import { saySpan } from '../../parts/on-call/span-words.ts'
import { Panel } from '../../parts/panel.tsx'
import { useRecordAction } from '../../parts/records/record-action.tsx'
import { useUndo } from '../../parts/records/use-undo.ts'
import { Row, Rows, Tag } from '../../parts/rows.tsx'

/** The overrides that apply or are to come, soonest first. */
export function Overrides({ schedule: { overrides, participants } }: { schedule: ScheduleDetail }) {
  const { id: team, may } = useTeam()
  const undo = useUndo({ of: 'ScheduleOverride' })
  const remove = useRecordAction((id: number) => ask(team, 'removeScheduleOverride', { id }), {
    said: () => t('Override removed.'),
    undo: (id) => undo([id]),
  })
  const now = Date.now()
  const shown = overrides
    .filter(({ ends_at }) => Date.parse(ends_at) > now)
    .sort((one, other) => Date.parse(one.starts_at) - Date.parse(other.starts_at))
  return (
    <Panel title={t('Overrides')}>
      {shown.length === 0 ? (
        <p className="px-4 py-3 text-soft">{t('None. The layers say who is on call.')}</p>
      ) : (
        <Rows label={t('Overrides')}>
          {shown.map(({ id, participant, starts_at, ends_at }) => {
            const name = participants.find(({ key }) => key === participant)?.name ?? ''
            return (
              <Row
                key={id}
                title={
                  <>
                    {name}
                    {Date.parse(starts_at) <= now && <Tag>{t('now')}</Tag>}
                  </>
                }
                actions={
                  may('write') && (
                    <Button
                      size="small"
                      tone="danger"
                      aria-label={t('Remove the override of {name}', { name })}
                      busy={remove.isPending && remove.variables === id}
                      onClick={() => remove.mutate(id)}
                    >
                      {t('Remove')}
                    </Button>
                  )
                }
              >
                {saySpan(starts_at, ends_at)}
              </Row>
            )
          })}
        </Rows>
      )}
    </Panel>
  )
}
