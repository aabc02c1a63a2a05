import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useNotices } from '../../app/notices.tsx'
import { ask } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { Button } from '../../parts/button.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { Copyable } from '../../parts/copy.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Refused } from '../../parts/refused.tsx'

/** Asked for when it is to be seen, and kept no longer. */
export function SigningSecret() {
  const { id, may } = useTeam()
  const say = useNotices()
  const [secret, setSecret] = useState<string | null>(null)
  const [isAsking, setAsking] = useState(false)
  const show = useMutation({
    mutationFn: () => ask(id, 'showSigningSecret', {}),
    onSuccess: ({ data }) => setSecret(data.signing_secret),
    gcTime: 0,
  })
  const rotate = useMutation({
    mutationFn: () => ask(id, 'rotateSigningSecret', {}),
    onSuccess: ({ data }) => {
      setSecret(data.signing_secret)
      setAsking(false)
      say.done('There is a new signing secret. Give it to your receivers.')
    },
    gcTime: 0,
  })
  return (
    <Panel title="Signing secret">
      <div className="flex flex-col items-start gap-4 p-4">
        <p className="text-soft">
          Webhooks are signed with it as Standard Webhooks says, so that a receiver can tell that an alert
          comes from here.
        </p>
        {secret !== null && (
          <div className="w-full">
            <Copyable text={secret} label="the signing secret" />
          </div>
        )}
        <Refused error={show.error} />
        <div className="flex flex-wrap gap-2">
          {secret === null ? (
            <Button busy={show.isPending} onClick={() => show.mutate()}>
              Show
            </Button>
          ) : (
            <Button onClick={() => setSecret(null)}>Hide</Button>
          )}
          {may('manage') && (
            <Button tone="danger" onClick={() => setAsking(true)}>
              Replace…
            </Button>
          )}
        </div>
      </div>
      <Confirm
        title="Replace the signing secret?"
        verb="Replace it"
        open={isAsking}
        busy={rotate.isPending}
        onConfirm={() => rotate.mutate()}
        onClose={() => setAsking(false)}
      >
        Receivers that check signatures refuse alerts until they know the new secret. The old one is gone at
        once.
        <Refused error={rotate.error} />
      </Confirm>
    </Panel>
  )
}
