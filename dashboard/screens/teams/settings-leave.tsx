import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { ask } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { t } from '../../language/language.ts'
import { Button } from '../../parts/button.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { Refused } from '../../parts/feedback/refused.tsx'
import { Section } from '../../parts/panel.tsx'

export function LeaveTeam() {
  const { id, name } = useTeam()
  const [isAsking, setAsking] = useState(false)
  const leave = useMutation({
    mutationFn: () => ask(id, 'leaveTeam', {}),
    // Everything on the page belongs to the team: start over.
    onSuccess: () => location.assign('/'),
  })
  return (
    <Section
      title={t('Leave this team')}
      about={t(
        'You will lose access, and the API tokens that you created for this team stop working. An owner can invite you again.',
      )}
    >
      <div className="p-4">
        <Button
          tone="danger"
          onClick={() => {
            leave.reset()
            setAsking(true)
          }}
        >
          {t('Leave…')}
        </Button>
      </div>
      <Confirm
        title={t('Leave {name}?', { name })}
        verb={t('Leave')}
        open={isAsking}
        busy={leave.isPending}
        onConfirm={() => leave.mutate()}
        onClose={() => setAsking(false)}
      >
        {t('Your API tokens for this team stop working at once.')}
        <Refused error={leave.error} />
      </Confirm>
    </Section>
  )
}
