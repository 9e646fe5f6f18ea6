// A pause that ends sooner when something happens.

export class Waker {
  #isWoken = false
  #resolve: (() => void) | undefined

  wake(): void {
    this.#isWoken = true
    this.#resolve?.()
  }

  /** @returns whether something has happened, now or since the last pause */
  async sleep(milliseconds: number): Promise<boolean> {
    if (!this.#isWoken) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, milliseconds)
        this.#resolve = () => {
          clearTimeout(timer)
          resolve()
        }
      })
      this.#resolve = undefined
    }
    const isWoken = this.#isWoken
    this.#isWoken = false
    return isWoken
  }
}
