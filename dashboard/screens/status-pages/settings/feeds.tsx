import type { StatusPageDetail } from '../../../../src/core/status-pages/shown-page.ts'
import { ask } from '../../../data/ask.ts'
import { useTeam } from '../../../data/session.ts'
import { t } from '../../../language/language.ts'
import { Button } from '../../../parts/button.tsx'
import { Copyable } from '../../../parts/copy.tsx'
import { Refused } from '../../../parts/feedback/refused.tsx'
import { Section } from '../../../parts/panel.tsx'
import { useChangePage } from '../../../parts/status-pages/use-page.ts'

/** A secret address of the documents of a private page, for programs that cannot sign in. */
export function PrivateFeeds({ page: { id, visibility, private_feeds } }: { page: StatusPageDetail }) {
  const { id: team } = useTeam()
  const rotate = useChangePage(t('The feeds have a new secret address.'))
  const clear = useChangePage(t('The secret address no longer works.'))
  if (visibility === 'public' && private_feeds === null) return null
  return (
    <Section
      title={t('Private feeds')}
      about={t(
        'Feed readers and programs cannot enter a password. Everyone who knows this address can read the feeds, the calendar and the JSON documents of the page.',
      )}
    >
      <div className="flex flex-col items-start gap-4 p-4">
        {private_feeds && (
          <div className="w-full">
            <Copyable text={`${private_feeds}/feed.rss`} label={t('address of the private feed')} />
          </div>
        )}
        <Refused error={rotate.error ?? clear.error} />
        <div className="flex flex-wrap gap-2">
          <Button
            busy={rotate.isPending}
            onClick={() => rotate.mutate(() => ask(team, 'rotateStatusPageFeedToken', { id }))}
          >
            {private_feeds ? t('Replace address') : t('Create address')}
          </Button>
          {private_feeds && (
            <Button
              tone="danger"
              busy={clear.isPending}
              onClick={() => clear.mutate(() => ask(team, 'clearStatusPageFeedToken', { id }))}
            >
              {t('Remove address')}
            </Button>
          )}
        </div>
      </div>
    </Section>
  )
}
