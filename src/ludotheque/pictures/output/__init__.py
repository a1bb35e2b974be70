"""What programs get from pictures: SVG files, PNG, animations, diagrams, the printed booklet."""
