import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ask, question } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { hidden } from '../../language/hidden.tsx'
import { rich, t } from '../../language/language.ts'
import { Button, buttonLook } from '../../parts/button.tsx'
import { Answered } from '../../parts/feedback/answered.tsx'
import { useNotices } from '../../parts/feedback/notices.tsx'
import { Empty, PageHead, Panel } from '../../parts/panel.tsx'
import { Time } from '../../parts/time.tsx'

/** Deleted monitors, which can be restored. */
export default function DeletedMonitors() {
  const { id: team, may } = useTeam()
  const queries = useQueryClient()
  const say = useNotices()
  const deleted = useQuery(question(team, 'listDeletedMonitors', {}))
  const restore = useMutation({
    mutationFn: (id: number) => ask(team, 'restoreMonitor', { id }),
    onSuccess: ({ data: monitor }) =>
      say.done(t('{name} restored. Checks have resumed.', { name: monitor.name })),
    onError: say.problem,
    onSettled: () => queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === team }),
  })
  return (
    <>
      <PageHead
        title={t('Deleted monitors')}
        actions={
          <Link to="/teams/$team/monitors" params={{ team: String(team) }} className={buttonLook()}>
            {t('All monitors')}
          </Link>
        }
      >
        {t('Their history is kept. A restored heartbeat keeps its ping URL.')}
      </PageHead>
      <Panel>
        <Answered answer={deleted} isWhole>
          {({ data }) =>
            data.length === 0 ? (
              <Empty title={t('No deleted monitors')} />
            ) : (
              <ul className="divide-y divide-line">
                {data.map((monitor) => (
                  <li key={monitor.id} className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2.5">
                    <div className="min-w-0 flex-1">
                      <p className="truncate font-medium">{monitor.name}</p>
                      <p className="truncate text-sm text-soft">
                        {monitor.target && `${monitor.target} · `}
                        {rich('deleted {time}', { time: <Time at={monitor.deleted_at} /> })}
                      </p>
                    </div>
                    {may('write') && (
                      <Button
                        size="small"
                        busy={restore.isPending && restore.variables === monitor.id}
                        onClick={() => restore.mutate(monitor.id)}
                      >
                        {rich('Restore<hidden> {name}</hidden>', { name: monitor.name, hidden })}
                      </Button>
                    )}
                  </li>
                ))}
              </ul>
            )
          }
        </Answered>
      </Panel>
    </>
  )
}
