import { RESOURCE_PATHS } from '../../../src/core/sign-in/oauth.ts'
import type { NewApiToken } from '../../../src/core/teams/people.ts'
import { useDocs } from '../../data/account.ts'
import { rich, t } from '../../language/language.ts'
import { Button } from '../../parts/button.tsx'
import { Copyable } from '../../parts/copy.tsx'

/** Shows the token, this once: only its hash is stored. */
export function TokenMade({ made, onDone }: { made: NewApiToken; onDone: () => void }) {
  const docs = useDocs('/mcp')
  const authorization = `Bearer ${made.token}`
  const example = `curl -H "Authorization: ${authorization}" ${location.origin}${RESOURCE_PATHS.api}/monitors`
  const assistant = {
    type: 'http',
    url: location.origin + RESOURCE_PATHS.mcp,
    headers: { Authorization: authorization },
  }
  return (
    <div role="status" className="flex flex-col gap-4 p-4">
      <div className="flex flex-col gap-2">
        <p>
          {rich('{name} is ready. Copy the token now: it is shown only once.', {
            name: <strong>{made.name}</strong>,
          })}
        </p>
        <Copyable text={made.token} label={t('the token')} />
      </div>
      <div className="flex flex-col gap-2">
        <p className="text-soft">{t('Try it: this lists the monitors of your team.')}</p>
        <Copyable text={example} label={t('the example')} />
      </div>
      <div className="flex flex-col gap-2">
        <p className="text-soft">
          {rich(
            'AI assistants connect at {address}. These settings work for most of them; <link>see the settings for each one</link>.',
            {
              address: <code className="font-mono text-ink">{assistant.url}</code>,
              link: (inside) => (
                <a href={docs} className="text-ink underline">
                  {inside}
                </a>
              ),
            },
          )}
        </p>
        <Copyable
          text={JSON.stringify({ mcpServers: { upbeat: assistant } }, null, 2)}
          label={t('the settings for AI assistants')}
        />
      </div>
      <Button className="self-start" onClick={onDone}>
        {t('Done')}
      </Button>
    </div>
  )
}
