import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { WindowDetail } from '../../../src/core/maintenance/shown-window.ts'
import { useDocs } from '../../data/account.ts'
import { ask } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { rich, t } from '../../language/language.ts'
import { Button } from '../../parts/button.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { Copyable } from '../../parts/copy.tsx'
import { useNotices } from '../../parts/feedback/notices.tsx'
import { Refused } from '../../parts/feedback/refused.tsx'
import { Panel } from '../../parts/panel.tsx'
import { maintenanceUrl, SWITCH_EXAMPLES } from './switch-examples.ts'

/** The name by which the examples read the address. */
const VARIABLE = 'MAINTENANCE_URL'

type Addresses = NonNullable<WindowDetail['addresses']>

/** The secret addresses of a switch, with examples to copy. */
export function WindowAddresses({ window, addresses }: { window: WindowDetail; addresses: Addresses }) {
  const { id: team } = useTeam()
  const queries = useQueryClient()
  const say = useNotices()
  const docs = useDocs('/maintenance#a-switch-for-scripts')
  const [isAsking, setAsking] = useState(false)
  const rotate = useMutation({
    mutationFn: () => ask(team, 'rotateMaintenanceAddress', { id: window.id }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: [team, 'getMaintenanceWindow', window.id] })
      setAsking(false)
      say.done(t('New addresses created. Update your scripts.'))
    },
  })
  return (
    <Panel
      title={t('Secret addresses')}
      actions={
        <Button size="small" onClick={() => setAsking(true)}>
          {t('New addresses…')}
        </Button>
      }
    >
      <div className="flex flex-col gap-4 p-4">
        <p className="text-sm text-soft">
          {t(
            'A POST request to the first turns the switch on, one to the second turns it off. Treat them as secrets: anyone who knows them can silence alerts.',
          )}
        </p>
        <Example title={t('Turn on')} text={addresses.start} />
        <Example title={t('Turn off')} text={addresses.stop} />
        <Example
          title={t('With curl, for 15 minutes')}
          text={`curl -X POST '${addresses.start}?minutes=15'`}
        />
        <div>
          <h3 className="mb-1 font-medium">{VARIABLE}</h3>
          <Copyable text={maintenanceUrl(addresses)} label={VARIABLE} />
          <p className="mt-2 text-sm text-soft">
            {rich(
              'Keep this as a secret variable of your pipeline: the examples below read it. The <link>documentation</link> has more about each.',
              {
                link: (words) => (
                  <a href={docs} className="underline">
                    {words}
                  </a>
                ),
              },
            )}
          </p>
        </div>
        {SWITCH_EXAMPLES.map(({ title, text }) => (
          <Example key={title} title={title} text={text} />
        ))}
      </div>
      <Confirm
        title={t('Create new addresses?')}
        verb={t('Create new addresses')}
        open={isAsking}
        busy={rotate.isPending}
        onConfirm={() => rotate.mutate()}
        onClose={() => setAsking(false)}
      >
        {t('The old ones stop working at once. Scripts that call them no longer turn the switch on or off.')}
        <Refused error={rotate.error} />
      </Confirm>
    </Panel>
  )
}

function Example({ title, text }: { title: string; text: string }) {
  return (
    <div>
      <h3 className="mb-1 font-medium">{title}</h3>
      <Copyable text={text} label={title} />
    </div>
  )
}
