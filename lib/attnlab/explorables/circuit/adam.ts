// Adam, with gradients clipped at norm 1, as the models were trained.
import { zerosLike, type Weights } from "./weights.ts";
import type { Gradients } from "./backward.ts";

const [MEMORY, MEMORY_OF_SQUARES, EPSILON, MOST] = [0.9, 0.999, 1e-8, 1];

export class Adam {
  private readonly mean: Gradients;
  private readonly squares: Gradients;
  private steps = 0;

  constructor(weights: Weights) {
    [this.mean, this.squares] = [zerosLike(weights), zerosLike(weights)];
  }

  /** Changes the weights by one step. */
  step(weights: Weights, gradients: Gradients, learningRate: number): void {
    this.steps++;
    const factor = Math.min(1, MOST / (norm(gradients) + 1e-6));
    const [first, second] = [1 - MEMORY ** this.steps, 1 - MEMORY_OF_SQUARES ** this.steps];
    for (const [name, gradient] of Object.entries(gradients)) {
      const [w, m, v] = [weights[name]!, this.mean[name]!, this.squares[name]!];
      for (let i = 0; i < w.length; i++) {
        const g = gradient[i]! * factor;
        m[i] = MEMORY * m[i]! + (1 - MEMORY) * g;
        v[i] = MEMORY_OF_SQUARES * v[i]! + (1 - MEMORY_OF_SQUARES) * g * g;
        w[i]! -= (learningRate * (m[i]! / first)) / (Math.sqrt(v[i]! / second) + EPSILON);
      }
    }
  }
}

const norm = (gradients: Gradients): number =>
  Math.sqrt(
    Object.values(gradients).reduce((sum, g) => sum + g.reduce((part, x) => part + x * x, 0), 0),
  );
