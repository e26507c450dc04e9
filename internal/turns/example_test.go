// An example of a task.

package turns_test

import (
	"context"
	"fmt"

	"flats/internal/turns"
)

// Background work that sums numbers, and lets other tasks of the queue have their turns.
func Example() {
	queue := turns.NewQueue() // one for all tasks
	sum := func(ctx context.Context, numbers []int) (total int, err error) {
		task := turns.NewTask(ctx, queue)
		defer task.Finish(&err)
		for _, n := range numbers {
			task.Step(1) // ends the work early if ctx is done
			total += n
		}
		return total, nil
	}
	fmt.Println(sum(context.Background(), []int{2, 3, 5}))
	// Output: 10 <nil>
}
