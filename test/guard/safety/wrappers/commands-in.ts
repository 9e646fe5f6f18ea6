// Which commands the check sees a command run.
import { checkCommand } from '../../../../lib/guard/safety/check-command.js'
import { unknownText } from '../../../../lib/guard/safety/rule.js'

/** The commands that are seen, with `?` for what is not known; the first is the command itself. */
export const commandsIn = async (command: string): Promise<string[]> => {
  const seen: string[] = []
  const spy = {
    name: 'spy',
    applies: ({ words }: { words: readonly { text: string }[] }) => {
      seen.push(
        words
          .map(({ text }) => text)
          .join(' ')
          .replaceAll(unknownText, '?'),
      )
      return null
    },
    explain: () => '',
  }
  await checkCommand(command, {
    workingDir: '/home/dev/project',
    home: '/home/dev',
    rules: { off: ['git-add-blind', 'git-push-force', 'rm-dangerous'], add: [spy] },
  })
  return seen
}
