import { phrase } from '../../../language/phrase.ts'
import { issueOf, said } from '../../../language/said.ts'
import { text } from '../../../text.ts'
import { hasOption } from '../../monitor-types.ts'
import type { Option } from '../option.ts'
import { gameOf } from './games.ts'

const MAX_GAME_LENGTH = 50

const GameId = text(MAX_GAME_LENGTH).superRefine((value, context) => {
  if (gameOf(value) === null)
    context.addIssue(issueOf(said('must be a game of the list in the documentation, such as counterstrike2')))
})

/** The option of which game is asked about. */
export const GAME = {
  game: {
    schema: GameId,
    description:
      'Game of the server, by the identifier that GameDig has for it, such as `counterstrike2`, `minecraft` or `valheim`. It says how the server is asked, and at which port where the URL has none.',
    group: 'request',
    label: phrase('Game'),
    hint: phrase('Such as counterstrike2, minecraft or valheim: the documentation lists them.'),
    has: (type) => hasOption(type, 'game'),
    default: null,
  },
} as const satisfies Record<string, Option>
