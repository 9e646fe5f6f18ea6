// What a model reads about the bash tool before it calls it.
import { bashSchema, describeBashTool } from '../../lib/tools/bash-schema.js'

const schema = bashSchema({ default: 30_000, slow: 900_000 })

describe('bashSchema', () => {
  test('is the schema of the requirement, closed, as plain JSON Schema', () => {
    expect(JSON.parse(JSON.stringify(schema))).toEqual({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {
        command: { type: 'string', description: 'Shell command to execute via bash -c' },
        mode: {
          type: 'string',
          enum: ['default', 'slow', 'background'],
          description: 'Execution mode: default (30s timeout), slow (15min timeout), background (detached)',
        },
      },
      required: ['command'],
      additionalProperties: false,
    })
  })

  test('tells the timeouts that hold', () => {
    const { description } = bashSchema({ default: 1500, slow: 3_600_000 }).properties.mode

    expect(description).toContain('default (1.5s timeout), slow (60min timeout)')
  })

  test.each([{ command: 'ls' }, { command: '' }, { command: 'ls', mode: 'slow' }])(
    'as a Standard Schema it accepts %j',
    (input) => {
      expect(schema['~standard'].validate(input)).toEqual({ value: input })
    },
  )

  test('as a Standard Schema it names what is wrong', () => {
    expect(schema['~standard'].validate({ mode: 'fast' })).toEqual({
      issues: [
        { path: ['command'], message: 'command: is required' },
        { path: ['mode'], message: 'mode: must be one of default, slow, background (got "fast")' },
      ],
    })
  })
})

describe('describeBashTool', () => {
  test('is the template of the requirement with the working directory', () => {
    expect(describeBashTool('/home/agent/project')).toBe(
      [
        'Executes shell commands via bash -c, returning combined stdout/stderr.',
        "Bash state changes (working dir, variables, aliases) don't persist between calls.",
        '',
        'With mode="background", returns immediately with output redirected to a file.',
        'Use background for servers/demos that need to stay running.',
        '',
        'Use mode="slow" for potentially slow commands: builds, downloads,',
        'installs, tests, or any other substantive operation.',
        '',
        'IMPORTANT: Keep commands concise. The command input must be less than 60k tokens.',
        'For complex scripts, write them to a file first and then execute the file.',
        '',
        '<pwd>/home/agent/project</pwd>',
      ].join('\n'),
    )
  })

  test('takes any character of a path as it is', () => {
    expect(describeBashTool("/a $& $1 b's").split('\n').at(-1)).toBe("<pwd>/a $& $1 b's</pwd>")
  })

  test('in Restricted mode gives no advice that cannot be followed there', () => {
    const text = describeBashTool('/project', { scratch: false, missing: [] })

    expect(text).toContain('mode="background"')
    expect(text).not.toMatch(/write them to a file|servers|downloads|installs/)
  })
})
